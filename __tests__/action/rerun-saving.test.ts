import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { requestsOf, theError } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { until, within } from './support/until.ts'
import {
  cutOff,
  firstLine,
  idOf,
  openWorkflowRun,
  record,
  recordsIn,
} from './support/workflow-run.ts'
import { itWithSignals } from './support/with-signals.ts'

const endless = { automation: 'slow-count', seed: { seconds: 60 } }
const unsaved = 'A re-run of this job may start a second run.'

describe('a first attempt', () => {
  it('sends nothing to the cache before its start, and saves nothing for a short run', async () => {
    await using run = await openWorkflowRun()
    await using step = await run.attempt(1)
    expect([step.exitCode, step.outputs['resumed']]).toEqual([0, 'false'])
    expect(run.cache.requests).toEqual([])
    expect(firstLine(step)).toMatch(/^Service http/)
  })

  it.each([401, 403])('whose check of the run is refused (%d) saves the id', async (status) => {
    await using run = await openWorkflowRun()
    run.sandbox.faults.inject({ on: 'status', fault: 'status', status, times: 'always' })
    const isRefused = () => until(() => requestsOf(run.sandbox, 'status').length > 0)
    await using step = await runPastTimeout(run.scenario(1), isRefused, 30_000)
    expect(step.outputs['conclusion']).toBe('unknown')
    expect(recordsIn(run.cache)).toEqual([record(1, idOf(run, 0))])
  })

  it('that cannot publish the result saves the id, and the next attempt publishes it', async () => {
    await using run = await openWorkflowRun()
    run.sandbox.faults.inject({ on: 'link-result', fault: 'status', status: 400, times: 'always' })
    // The step really waits between two links, so its waits must not be longer than usual.
    await using first = await run.attempt(1, { env: { CLOCK_PATIENCE: '1' } })
    expect(theError(first).title).toBe('text-note succeeded, but its result is missing')
    expect(theError(first).message).toContain('Next: Re-run this job: it takes over this run')
    expect(recordsIn(run.cache)).toEqual([record(1, idOf(run, 0))])
    run.sandbox.faults.clear()
    await using step = await run.attempt(2)
    expect([step.exitCode, step.outputs['resumed'], run.starts]).toEqual([0, 'true', 1])
    expect(step.outputs['result']).toContain('All 12 feeds')
  })

  itWithSignals('that is cancelled in its first seconds saves the id for the second', async () => {
    await using run = await openWorkflowRun()
    await using running = run.begin(1, endless)
    await until(() => requestsOf(run.sandbox, 'status').length > 0)
    running.signal('SIGINT')
    const first = await within(running.result)
    const id = idOf(run, 0)
    expect([first.signal, first.outputs['conclusion']]).toEqual([null, 'cancelled'])
    expect(theError(first).message).toContain(
      'Or, unless a newer workflow run replaced this one, re-run this job',
    )
    expect(recordsIn(run.cache)).toEqual([record(1, id)])
    await using second = run.begin(2, endless)
    await within(second.waitForLine(/▶ Wait/))
    run.sandbox.stop(id)
    const step = await within(second.result)
    expect(firstLine(step)).toContain(`Execution ${id} of attempt 1 is still running`)
    expect(step.outputs).toMatchObject({ conclusion: 'stopped', resumed: 'true' })
    expect(run.starts).toBe(1)
  })
})

describe('saving', () => {
  it('fails without a cache, which is reported once if a record is due', async () => {
    await using run = await openWorkflowRun()
    const none = { env: { ACTIONS_CACHE_SERVICE_V2: '', ACTIONS_CACHE_URL: '' } }
    await using short = await run.attempt(1, none)
    expect(short.log).not.toContain(unsaved)
    await using step = await cutOff(run, 1, { ...none, ...endless })
    expect(step.outputs['conclusion']).toBe('timed-out')
    const line = `The record for a re-run may not have been saved: this runner offers no cache. ${unsaved}`
    expect(step.log.split(line)).toHaveLength(2)
    await using again = await run.attempt(2, none)
    expect(firstLine(again)).toContain('could not be read: this runner offers no cache')
    expect(run.cache.requests).toEqual([])
  })

  itWithSignals('fails with the tar of BusyBox, and the log asks for GNU tar', async () => {
    await using run = await openWorkflowRun()
    await using programs = await makeTemporaryFolder()
    const usage = 'echo "tar: unrecognized option: posix" >&2; exit 1'
    await writeFile(path.join(programs.path, 'tar'), `#!/bin/sh\n${usage}\n`, { mode: 0o755 })
    const env = { PATH: `${programs.path}${path.delimiter}${process.env['PATH']}` }
    await using step = await run.attempt(1, { action: 'start', env })
    expect([step.exitCode, recordsIn(run.cache)]).toEqual([0, []])
    expect(step.log).toContain('The cache needs GNU tar (on Alpine: apk add tar).')
  })
})
