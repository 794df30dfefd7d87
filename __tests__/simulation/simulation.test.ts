import { describe, expect, it } from '@jest/globals'
import { runScenarios } from '../../sandbox/simulation/run-scenarios.ts'
import { runScenario, simulateStep } from '../../sandbox/simulation/scenario.ts'
import { productActions } from '../../sandbox/simulation/product-actions.ts'
import { describeStatistics } from '../../sandbox/simulation/statistics.ts'

// `npm run chaos` simulates thousands of runs.
const runs = Number(process.env['SIMULATION_RUNS'] ?? 100)

// The seed is fixed, so that a failure is the same on every machine.
const statistics = await runScenarios({ runs, batches: runs / 5, seed: 20_261_121 })

describe('many runs with faults', () => {
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
  ])('include a run of a batch with the conclusion: %s', (conclusion) => {
    expect(statistics.conclusions.get(`run of a batch: ${conclusion}`)).toBeGreaterThan(0)
  })

  it.each([
    ...['connection refused', 'incomplete answer', 'redirect', 'switches protocols (101)'],
    ...[
      'unusable link',
      'status of another execution',
      ...['store answers with Retry-After', 'store answers 204'],
      ...['commit status: pending', 'commit status: success', 'commit status: no permission'],
      'very slow answer',
      'download interrupted',
      'outage: 503',
      'retry of a failed execution',
      'two signals',
    ],
    ...[
      'disk full: outputs',
      'disk full: summary',
      'encoding aws-chunked, gzip',
      'encoding zstd',
      'encoding br',
    ],
    ...['4xx as a web page', 'now missing', 'now without files'],
    ...['cache: look-up fails', 'cache: look-up hangs', 'cache: evicted'],
    ...['cache: save refused', 'cache: save hangs', 'cache: save lost'],
    ...['cache: save hangs after saving', 'cache: save is late'],
  ])('include the fault: %s', (fault) => {
    expect(statistics.faults.get(fault)).toBeGreaterThan(0)
  })

  it.each(['run', 'start', 'wait', 'batch'])(
    'include a killed process of the action: %s',
    (action) => {
      expect(statistics.conclusions.get(`${action}: killed`)).toBeGreaterThan(0)
    },
  )
})

describe('a seed', () => {
  it('decides everything except folders and tokens in the log', async () => {
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
