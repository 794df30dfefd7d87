import { describe, expect, it } from '@jest/globals'
import { runScenarios } from '../../sandbox/simulation/run-scenarios.ts'
import { runScenario, simulateStep } from '../../sandbox/simulation/scenario.ts'
import { productActions } from '../../sandbox/simulation/product-actions.ts'
import { describeStatistics } from '../../sandbox/simulation/statistics.ts'

/**
 * How many runs; `npm run chaos` has thousands. The rarest violation of a broken action is found
 * within 45 (invariants.test.ts).
 */
const runs = Number(process.env['SIMULATION_RUNS'] ?? 100)

// The same runs every time: what fails here fails everywhere.
const statistics = await runScenarios({ runs, batches: runs / 5, seed: 20_261_121 })

describe('many runs under faults', () => {
  it('violate no invariant', () => {
    expect(statistics.first).toBeUndefined()
    expect([...statistics.violations.values()].filter((count) => count > 0)).toEqual([])
  })

  it('reach every conclusion', () => {
    const reached = [...statistics.conclusions.keys()].filter((name) => /^(run|wait):/.test(name))

    expect(new Set(reached.map((name) => name.split(': ')[1]))).toEqual(
      new Set([
        ...['success', 'invalid-result', 'error', 'container-error', 'stopped'],
        ...['timed-out', 'cancelled', 'refused', 'not-started', 'unknown', 'killed'],
      ]),
    )
  })

  it.each([
    'success',
    'invalid-result',
    'error',
    'refused',
    'timed-out',
    'cancelled',
    'unknown',
    'not-started',
  ])('bring a run of a batch to: %s', (conclusion) => {
    expect(statistics.conclusions.get(`run of a batch: ${conclusion}`)).toBeGreaterThan(0)
  })

  it.each([
    ...['connection refused', 'half an answer', 'redirect', 'switches protocols (101)'],
    ...[
      'a link that is none',
      'status of another execution',
      ...['store asks to wait', 'store answers 204', 'part without a total'],
      ...['commit status: pending', 'commit status: success', 'commit status: no permission'],
      'answer drips',
      'download cut',
      'outage: 503',
      'a failed execution, followed by another',
      'equal steps at the same time',
      'two signals',
    ],
    ...['disk full: outputs', 'disk full: summary', 'encoding aws-chunked, gzip', 'encoding zstd'],
    ...['cache: look-up fails', 'cache: look-up hangs', 'cache: evicted'],
    ...['cache: save refused', 'cache: save hangs', 'cache: save lost'],
    ...['cache: save hangs once saved', 'cache: save is late'],
  ])('meet the fault: %s', (fault) => {
    expect(statistics.faults.get(fault)).toBeGreaterThan(0)
  })

  it.each(['run', 'start', 'batch'])('kill the process of a step: %s', (action) => {
    expect(statistics.conclusions.get(`${action}: killed`)).toBeGreaterThan(0)
  })
})

describe('a seed', () => {
  it('decides everything but folders and tokens in the log', async () => {
    const run = async () => {
      const reports = await runScenario(4, productActions, simulateStep)
      return reports.map(({ shown, ...report }) => ({ ...report, lines: shown.length }))
    }

    expect(await run()).toEqual(await run())
  })
})

describe('the report', () => {
  it('counts conclusions, faults and violations', () => {
    const report = describeStatistics(statistics)

    expect(report).toMatch(/^\d+ runs, \d+ batches, \d+ steps\n\nConclusions reached\n/)
    expect(report).toMatch(/\nFaults injected\n {2}\S/)
    expect(report).toMatch(/\nMust be zero\n {2}starts accepted twice +0\n/)
    expect(report).not.toContain('Repeat')
  })
})
