import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { annotationsOf, filesBelow, requestsOf, theError } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'
import { until } from './support/until.ts'

const upload = { 'upload-artifact': 'true' }

describe('a run that succeeds', () => {
  it('passes the step, and publishes result and log in every way', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, automation: 'chart-series', inputs: upload })
    const [execution] = sandbox.executions
    const [artifact] = step.artifacts
    const { outputs } = step

    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(JSON.parse(outputs['result'] ?? '')).toHaveLength(14)
    expect(await readFile(outputs['result-file'] ?? '', 'utf8')).toBe(outputs['result'])
    expect(path.basename(outputs['result-file'] ?? '')).toBe('result.json')
    expect(await readFile(outputs['log-file'] ?? '', 'utf8')).toBe(outputs['log'])
    expect(outputs).toMatchObject({
      'execution-id': execution?.id,
      conclusion: 'success',
      log: 'counting the runs of 14 days\n',
      'duration-seconds': expect.stringMatching(/^\d+$/),
      'artifact-name': `chart-series-${String(execution?.id)}`,
      'artifact-id': String(artifact?.id),
      'artifact-url': `https://github.com/owner/repo/actions/runs/4200/artifacts/${String(artifact?.id)}`,
      'artifact-digest': artifact?.digest.replace('sha256:', ''),
    })
    expect(step.summary).toContain('✅ chart-series succeeded')
    expect(step.summary).toContain('2026-01-14')
    expect(path.dirname(outputs['result-file'] ?? '')).toContain(step.temp)
    expect(await filesBelow(step.workspace)).toEqual({})

    // The artifact has result, log, and facts about the run without links.
    expect(step.artifacts).toHaveLength(1)
    const files = artifact?.files ?? {}
    expect(Object.keys(files).sort()).toEqual(['execution.json', 'result.json', 'run.log'])
    expect(files['result.json']?.toString()).toBe(outputs['result'])
    const record = JSON.parse(files['execution.json']?.toString() ?? '') as unknown
    const id = outputs['execution-id']
    const flags = { finished: true, error: false, stopped: false, container_error: false }
    expect(record).toEqual({
      execution_id: id,
      execution_url: null,
      project: 'demo',
      automation: 'chart-series',
      conclusion: 'success',
      execution_count: 1,
      duration_seconds: Number(outputs['duration-seconds']),
      cause: null,
      result_file: 'result.json',
      log_file: 'run.log',
      status: { exec_uuid: id, ...flags },
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      executions: [
        expect.objectContaining({ execution_id: id, conclusion: 'success', cause: null }),
      ],
      result_problems: null,
      workflow_run: expect.objectContaining({
        repository: 'owner/repo',
        run_id: '4200',
        url: 'https://github.com/owner/repo/actions/runs/4200/job/777',
      }),
      action: expect.stringMatching(/^run-automation \d/),
    })
    expect(JSON.parse(outputs['status'] ?? '')).toEqual({ exec_uuid: id, ...flags })
  })

  it('passes a seed from a file to the automation as the same JSON text', async () => {
    const seed = '{ "id": 12345678901234567890, "rate": 1.0, "far": 1e400, "text": "\\u00e9\\/" }'
    await using sandbox = await openSandbox()
    await using checkout = await makeTemporaryFolder({ 'seeds/one.json': seed })
    const { path: workspace } = checkout
    const inputs = { 'seed-file': 'seeds/one.json' }
    await using step = await runAction({ sandbox, automation: 'echo', inputs, workspace })
    expect(sandbox.executions[0]?.seedText).toBe(seed)
    expect(step.outputs['result']).toBe(seed)
  })

  it('sends webhook and headers to the service, which delivers the result with them', async () => {
    await using receiver = await openSandbox()
    await using sandbox = await openSandbox()
    const webhook = `${receiver.baseUrl}/hook`
    const inputs = { webhook, 'webhook-headers': 'X-Team: data: reports\nX-Other: 12345' }
    await using step = await runAction({ sandbox, inputs })
    await sandbox.executions[0]?.ended
    expect(step.exitCode).toBe(0)
    expect(JSON.parse(requestsOf(sandbox, 'start')[0]?.body ?? '')).toEqual({
      webhook,
      webhook_header: { 'X-Team': 'data: reports', 'X-Other': '12345' },
    })
    const [delivery] = receiver.requests
    expect(delivery?.headers).toMatchObject({ 'x-team': 'data: reports' })
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({
      execution: step.outputs['execution-id'],
      status: { finished: true, error: false },
      result: step.outputs['result'],
    })
    expect(step.summary).not.toContain('not given')
  })

  it.each([
    ['text', 'text-note', 'result.txt', 'All 12 feeds were read.\nNothing new since yesterday.\n'],
    ['a binary', 'pixel', 'result.png', ''],
  ])('publishes %s', async (_, automation, file, output) => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, automation, inputs: upload })
    expect(step.exitCode).toBe(0)
    expect(step.outputs['result']).toBe(output)
    expect(path.basename(step.outputs['result-file'] ?? '')).toBe(file)
    const stored = await readFile(step.outputs['result-file'] ?? '')
    expect(step.artifacts[0]?.files[file]).toEqual(stored)
    expect(stored.length).toBeGreaterThan(0)
    if (output === '') expect(step.log).toContain('Use the output result-file')
  })

  it('reports that the automation keeps nothing, and writes no empty files', async () => {
    await using sandbox = await openSandbox({ keep: false })
    await using step = await runAction({ sandbox, inputs: upload })
    expect(step.exitCode).toBe(0)
    expect(annotationsOf(step, 'notice')[0]?.message).toContain("isn't set to keep it")
    expect(step.outputs).toMatchObject({ 'result-file': '', 'log-file': '', result: '', log: '' })
    expect(Object.keys(step.artifacts[0]?.files ?? {})).toEqual(['execution.json'])
  })
})

it('a run that fails: one annotation has the cause', async () => {
  await using sandbox = await openSandbox()
  await using step = await runAction({ sandbox, automation: 'broken-report' })
  expect(step.exitCode).toBe(1)
  const { title, message, file } = theError(step)
  expect([title, file]).toEqual(['broken-report failed', undefined])
  expect(message).toMatch(
    /^ValueError: could not convert string to float: 'n\/a' \(\S+broken_report\.py, line 23\)/,
  )
})

describe('a step accepts', () => {
  // With `both`, the service knows the execution only by its exec_uuid.
  it.each<[200 | 202, 'execution_id' | 'exec_uuid' | 'both']>([
    [200, 'execution_id'],
    [202, 'exec_uuid'],
    [202, 'both'],
  ])('the answer %s to a start, with an id in %s', async (startStatus, startAnswer) => {
    await using sandbox = await openSandbox({ startStatus, startAnswer })
    await using step = await runAction({ sandbox })
    expect(step.outputs['conclusion']).toBe('success')
    expect(step.outputs['execution-id']).toBe(sandbox.executions[0]?.id)
  })

  it('a separate address for the status route, and sends a token without its scheme', async () => {
    await using starting = await openSandbox()
    await using watching = await openSandbox()
    const inputs = {
      'status-base-url': `${watching.baseUrl}/`,
      'authorization-scheme': 'bare',
    }
    const checks = () => requestsOf(watching, 'status')
    await using step = await runPastTimeout({ sandbox: starting, inputs }, () =>
      until(() => checks().length > 0),
    )
    const [status] = checks()
    expect(requestsOf(starting, 'status')).toEqual([])
    expect(status?.path).toContain(`/${step.outputs['execution-id'] ?? ''}/status`)
    expect(status?.headers.authorization).toBe(starting.apiToken)
  })
})

describe('a run that is stopped from the dashboard', () => {
  it('fails the step', async () => {
    await using sandbox = await openSandbox()
    const seed = { seconds: 60 }
    const running = runAction({ sandbox, automation: 'slow-count', seed, inputs: upload })
    await until(() => requestsOf(sandbox, 'status').length > 0)
    sandbox.stop(sandbox.executions[0]?.id ?? '')
    await using step = await running
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'stopped'])
    const record = JSON.parse(String(step.artifacts[0]?.files['execution.json'])) as object
    expect(record).toMatchObject({ cause: step.outputs['cause'] })
  })
})
