import { expect, it } from '@jest/globals'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openGithubApi } from '../../sandbox/runner/github-api.ts'
import type { RunningStep, StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { waitAction } from '../../src/version.ts'
import { requestsOf, theError } from './support/facts.ts'
import { serveRaw } from '../support/raw-server.ts'
import { json } from '../support/remote-service.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { patiently, runWithClock, startWithClock } from './support/past-timeout.ts'
import { startAction } from './support/run-action.ts'
import { startBody } from './support/one-step.ts'
import { until, within } from './support/until.ts'
import { openWorkflowRun } from './support/workflow-run.ts'
import { describeWithSignals } from './support/with-signals.ts'

/** Terminals, service managers and containers send signals in pairs. */
const signals = [['SIGINT', 'SIGINT'], ['SIGINT', 'SIGTERM'], ['SIGHUP']] as const

/** Sends the signals and returns the ended step. Nothing but the signals ends the step. */
async function end(running: RunningStep, ...names: readonly NodeJS.Signals[]): Promise<StepResult> {
  for (const name of names) running.signal(name)
  const step = await within(running.result)
  expect([step.exitCode, step.signal]).toEqual([1, null])
  return step
}

function idOf(sandbox: Sandbox): string {
  return sandbox.executions[0]?.id ?? '?'
}

describeWithSignals.each(signals)('%s %s', (...names) => {
  it('while the start is in flight: the outcome is unknown, and the step says so', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'stall-headers', accepted: true })
    await using running = startAction({ sandbox })
    await until(() => sandbox.executions.length > 0)
    const step = await end(running, ...names)
    expect(step.outputs).toMatchObject({ conclusion: 'unknown', resumed: 'false' })
    expect(step.outputs).not.toHaveProperty('execution-id')
    expect(theError(step).title).toBe('text-note may or may not have started')
    expect(theError(step).message).toMatch(
      /cancelled while it waited for the answer to its start.*may exist/s,
    )
    expect(step.summary).toContain('may exist')
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
  })

  it('while a start of a batch is in flight: the run says so in the same words', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'stall-headers', accepted: true })
    const inputs = { seeds: '[{}, {}]', 'max-parallel': '1' }
    await using running = startAction({ sandbox, action: 'batch', inputs })
    await until(() => sandbox.executions.length > 0)
    const step = await end(running, ...names)
    expect(theError(step).message).toContain(
      'Run 1 has an unknown outcome: the step was cancelled while it waited for the answer to its start',
    )
  })

  it('while the run is still running: cancelled, with the id and how to fetch the run', async () => {
    await using sandbox = await openSandbox()
    const seed = { seconds: 60 }
    await using running = startAction({ sandbox, automation: 'slow-count', seed })
    await until(() => requestsOf(sandbox, 'status').length > 0)
    const step = await end(running, ...names)
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(sandbox), conclusion: 'cancelled' })
    // The summary escapes @, because Markdown would mention the user of that name.
    const summary = step.summary.replaceAll('<span>@</span>', '@')
    for (const text of [theError(step).message, summary]) {
      expect(text).toContain('the run is still running')
      expect(text).toContain(`${waitAction} and execution-id ${idOf(sandbox)}`)
    }
    expect(sandbox.executions[0]?.flags.finished).toBe(false)
  })

  it('while result and log are downloaded', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'link', fault: 'stall-body', times: 'always' })
    await using running = startAction({ sandbox })
    await until(() => requestsOf(sandbox, 'link').length === 2)
    const step = await end(running, ...names)
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(sandbox), conclusion: 'cancelled' })
    expect(theError(step).message).toContain(`execution-id ${idOf(sandbox)}`)
    expect(step.summary).toContain(`execution-id ${idOf(sandbox)}`)
  })

  it('while the artifact is uploaded', async () => {
    await using sandbox = await openSandbox()
    await using artifactService = await openArtifactService()
    artifactService.inject({ on: 'blob', fault: 'stall' })
    const inputs = { 'upload-artifact': 'true' }
    await using running = startAction({ sandbox, inputs, artifactService })
    await until(() => artifactService.requests.some(({ call }) => call === 'blob'))
    const step = await end(running, ...names)
    expect(step.outputs).toMatchObject({ 'execution-id': idOf(sandbox), conclusion: 'success' })
    expect(step.outputs['result']).toContain('All 12 feeds')
    expect(theError(step).message).toMatch(
      /^The step was cancelled before it had published the run/,
    )
    expect(theError(step).message).toContain(`execution-id ${idOf(sandbox)}`)
  })
})

describeWithSignals('before the start', () => {
  it('between two tries: nothing was started', async () => {
    await using sandbox = await openSandbox()
    const answer = { status: 429, headers: { 'retry-after': '30' } }
    sandbox.faults.inject({ on: 'start', fault: 'status', ...answer })
    await using running = startAction({ sandbox })
    await within(running.waitForLine(/Next try in/))
    const step = await end(running, 'SIGINT')
    expect(theError(step).title).toBe('text-note was not started')
    expect(step.outputs).toEqual({
      'summary-file': expect.any(String),
      conclusion: 'not-started',
      cause: 'The step was cancelled before the service had accepted a start. Nothing was started.',
      resumed: 'false',
    })
  })

  const actions = [{}, { action: 'start' }, { action: 'batch', inputs: { seeds: '[{}]' } }] as const

  it.each(actions)(
    'while TLS stalls: nothing is sent, and nothing is awaited (%j)',
    async (given) => {
      const connected = Promise.withResolvers<undefined>()
      await using server = await serveRaw({
        onConnection: (socket) => socket.once('data', () => connected.resolve(undefined)),
      })
      const baseUrl = server.url.replace('http:', 'https:')
      const sandbox = { baseUrl, apiToken: 'token-1234', apiKey: 'key-1234' }
      // The 3.5 s for an answer would take 350 s, which is longer than `within` waits.
      const env = { ...patiently, CLOCK_PATIENCE: '100' }
      await using running = startAction({ sandbox, env, ...given })
      await within(connected.promise)
      const step = await end(running, 'SIGINT')
      expect(theError(step).message).toMatch(/cancelled/)
      expect(step.outputs['conclusion'] ?? 'not-started').toMatch(/not-started|cancelled/)
      expect(server.connections).toHaveLength(1)
    },
  )
})

describeWithSignals('while the inputs are read', () => {
  it.each([
    ['batch', { seeds: '[{}]' }],
    ['wait', { 'execution-id': 'e-1' }],
  ] as const)('of %s, nothing is sent, and the rest is not read', async (action, given) => {
    await using sandbox = await openSandbox()
    // Such a schema takes longer to compile than a schema may take.
    const row = { type: 'object', minProperties: 1, properties: { a: { minLength: 1 } } }
    const rows = Array.from({ length: 10_000 }, (_, at) => [`row${at}`, row] as const)
    const properties = Object.fromEntries(rows)
    await using checkout = await makeTemporaryFolder({
      'rows.json': JSON.stringify({ properties }),
    })
    const { path: workspace } = checkout
    const inputs = { ...given, 'result-schema': 'rows.json' }
    await using running = startAction({ sandbox, action, inputs, workspace })
    // The step masks secrets right before it reads the inputs.
    await within(running.waitForLine(/add-mask/))
    const step = await end(running, 'SIGINT')
    expect(theError(step).title).toBe('The step was cancelled')
    expect(theError(step).message).toContain('Nothing was sent.')
    expect(theError(step).message).toContain('Next: Re-run this job')
    expect(step.outputs['conclusion']).toBe('cancelled')
    expect(sandbox.requests).toEqual([])
  })
})

describeWithSignals('a step that does not end by itself', () => {
  it('ends 6.5 s after the first signal, with every id that it knows', async () => {
    const hanging = `for (const id of ['e-1', 'e-2']) step.outputs.set({ 'execution-id': id })
      step.outputs.set({ conclusion: 'error' })
      step.log.info('hanging')
      setInterval(() => {}, 1000)
      await new Promise(() => {})`
    const start = (env: Record<string, string>) => startBody(hanging, env)
    await using step = await startWithClock(start, async ({ running, putForward }) => {
      await running.waitForLine(/hanging/)
      for (const name of ['SIGINT', 'SIGTERM'] as const) running.signal(name)
      await running.waitForLine(/received SIGINT/)
      await putForward(6_500)
    })
    expect([step.exitCode, step.signal]).toEqual([1, null])
    expect(step.outputs['conclusion']).toBe('error')
    expect(theError(step).title).toBe('The step was cancelled')
    expect(theError(step).message).toContain(
      'Its newest execution is e-2. The log of this step has 1 other id.',
    )
    expect(theError(step).message).toContain(`${waitAction} and execution-id e-2`)
  })

  it('because it is busy has time to report, however late it receives both signals', async () => {
    // The step reads a pipe, which blocks until the test writes to the pipe.
    const folder = await mkdtemp(path.join(tmpdir(), 'signals-'))
    const pipe = path.join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const busy = `const { readFileSync } = await import('node:fs')
      step.log.info('busy')
      readFileSync(${JSON.stringify(pipe)})
      await step.clock.sleep(60_000, step.cancelled).catch(() => step.log.info('reports'))
      await new Promise((resolve) => setImmediate(resolve))
      const notice = { name: 'cancelled', title: 'reported', why: [], facts: [], advice: [] }
      return { kind: 'failed', notice }`
    await using running = await startBody(busy)
    await within(running.waitForLine(/busy/))
    for (const name of ['SIGINT', 'SIGTERM'] as const) running.signal(name)
    await writeFile(pipe, '')
    const step = await within(running.result)
    await rm(folder, { recursive: true })
    expect(theError(step).title).toBe('reported')
  })
})

describeWithSignals('a step that has written its annotation', () => {
  it('is not ended by further signals', async () => {
    await using running = await startBody(`
      step.log.info('ready')
      await step.clock.sleep(600_000, step.cancelled).catch(() => undefined)
      const notice = { name: 'cancelled', title: 'reported', why: [], facts: [], advice: [] }
      return { kind: 'failed', notice }`)
    await within(running.waitForLine(/ready/))
    running.signal('SIGINT')
    await within(running.waitForLine(/^::error/))
    const ended = new AbortController()
    void running.result.finally(() => ended.abort())
    while (!ended.signal.aborted) {
      running.signal('SIGTERM')
      await new Promise((resolve) => setImmediate(resolve))
    }
    const step = await within(running.result)
    expect([step.exitCode, step.signal]).toEqual([1, null])
  })
})

/** The runner sends SIGINT, after 7.5 s SIGTERM, and then kills. Tests put the clock forward. */
describeWithSignals('a step that is cancelled, or ended by `cancel:` in the background', () => {
  const slowly = { env: { CLOCK_PATIENCE: '60' } }

  it('with hanging requests ends 5 s later, with the id', async () => {
    await using run = await openWorkflowRun()
    run.cache.inject({ on: 'create', fault: 'stall' })
    run.sandbox.faults.inject({ on: 'status', fault: 'stall-headers', times: 'always' })
    await using step = await runWithClock(
      run.scenario(1, slowly),
      async ({ running, putForward }) => {
        await until(() => requestsOf(run.sandbox, 'status').length > 0)
        for (const name of ['SIGINT', 'SIGTERM'] as const) running.signal(name)
        await running.waitForLine(/received SIGINT/)
        await until(() => run.cache.requests.length > 0)
        await putForward(5_000)
      },
    )
    expect([step.signal, step.exitCode, step.outputs['conclusion']]).toEqual([null, 1, 'cancelled'])
    expect(step.outputs['execution-id']).toBe(idOf(run.sandbox))
    expect(theError(step).message).toContain(`execution-id ${idOf(run.sandbox)}`)
    expect(step.log).toMatch(/may not have been saved: the cache did not finish within 5(\.\d)? s/)
  })

  it('with a start in flight ends 5.5 s later, after record and commit status side by side', async () => {
    await using run = await openWorkflowRun()
    await using githubApi = await openGithubApi()
    run.cache.inject({ on: 'create', fault: 'stall' })
    githubApi.inject({ fault: 'hang' })
    run.sandbox.faults.inject({ on: 'start', fault: 'stall-headers', accepted: true })
    const inputs = { 'commit-status': 'automation/text-note' }
    const scenario = run.scenario(1, { ...slowly, action: 'start', githubApi, inputs })
    await using step = await runWithClock(scenario, async ({ running, putForward }) => {
      await until(() => run.sandbox.executions.length > 0)
      running.signal('SIGINT')
      await running.waitForLine(/received SIGINT/)
      await putForward(3_500)
      await until(() => run.cache.requests.length > 0 && githubApi.requests.length > 0)
      await putForward(5_500)
    })
    expect([step.signal, step.exitCode]).toEqual([null, 1])
    expect(theError(step).title).toBe('text-note may or may not have started')
  })

  it('outputs the id of a start that is answered 3.2 s later', async () => {
    const asked = Promise.withResolvers<Socket>()
    await using server = await serveRaw({ onRequest: asked.resolve })
    const sandbox = { baseUrl: server.url, apiToken: 'token-1234', apiKey: 'key-1234' }
    const scenario = { ...slowly, sandbox, action: 'start' } as const
    await using step = await runWithClock(scenario, async ({ running, putForward }) => {
      const socket = await within(asked.promise)
      running.signal('SIGINT')
      await running.waitForLine(/received SIGINT/)
      await putForward(3_200)
      socket.end(json({ execution_id: 'e-1', message: 'started' }))
    })
    expect([step.signal, step.exitCode, step.outputs['execution-id']]).toEqual([null, 1, 'e-1'])
  })

  it('and killed at once has the execution id in its outputs and its log', async () => {
    await using sandbox = await openSandbox()
    await using running = startAction({ sandbox, automation: 'slow-count', seed: { seconds: 60 } })
    await until(() => requestsOf(sandbox, 'status').length > 0)
    running.signal('SIGKILL')
    const step = await within(running.result)
    const id = idOf(sandbox)
    expect([step.signal, step.outputs['execution-id']]).toEqual(['SIGKILL', id])
    expect(step.log).toContain(`Started as execution ${id}`)
  })
})
