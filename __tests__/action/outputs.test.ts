import { existsSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from './support/automations.ts'
import { annotationsOf, requestsOf, theError } from './support/facts.ts'
import { itWithLimits, makeLimitedAction } from './support/limited-files.ts'
import { connectionOf, runAction } from './support/run-action.ts'

// A device that answers every write as a full disk does.
const onFullDisk = existsSync('/dev/full') ? it : it.skip
const fullDisk = { GITHUB_OUTPUT: '/dev/full' }

describe('where the runner’s file for outputs cannot be written', () => {
  onFullDisk.each([
    ['a full disk', fullDisk, 'no space left on device'],
    ['no file', { GITHUB_OUTPUT: '/nowhere/set_output' }, 'no such file or directory'],
  ])('%s: the run is followed to its end, and the step fails with its id', async (_, env, why) => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, inputs: { 'upload-artifact': 'true' }, env })
    const id = sandbox.executions[0]?.id ?? '?'
    expect([step.exitCode, step.artifacts.length]).toEqual([1, 1])
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
    const { title, message } = theError(step)
    expect(title).toBe('text-note is over, but the outputs could not be written')
    expect(message).toContain(why)
    expect(message).toContain(`execution-id ${id}`)
    expect(annotationsOf(step, 'warning')[0]?.message).toMatch(/^The output resumed was not/)
  })

  onFullDisk('a start is told with its id, and fails', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, action: 'start', env: fullDisk })
    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe('The outputs could not be written')
    expect(theError(step).message).toContain(`execution-id ${sandbox.executions[0]?.id ?? '?'}`)
  })

  onFullDisk('a project that was created fails the step, too', async () => {
    await using sandbox = await openSandbox()
    const inputs = { region: 'eu-west-1', 'docker-version': '3.12', name: 'reports' }
    const scenario = { sandbox, action: 'create-project', inputs, env: fullDisk } as const
    await using step = await runAction(scenario)
    expect([step.exitCode, sandbox.requests.length]).toEqual([1, 1])
    expect(theError(step).title).toBe('The outputs could not be written')
  })
})

describe('a disk that becomes full while outputs are written', () => {
  itWithLimits('leaves no part of one, and takes none of the others away', async () => {
    const text = 'y'.repeat(20_000)
    await using automations = await makeAutomations({
      wordy: `console.log('${text}'); return '${text}'`,
    })
    await using sandbox = await openSandbox({ automations: automations.folder })
    await using limited = await makeLimitedAction('.', 32)
    const inputs = {
      ...connectionOf({ sandbox }),
      ...{ project: 'demo', automation: 'wordy', 'poll-interval': '100ms' },
    }
    await using step = await runStep({ action: limited.path, inputs })
    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe('wordy is over, but the outputs could not be written')
    expect(step.outputs).toMatchObject({
      'execution-id': sandbox.executions[0]?.id,
      conclusion: 'success',
      result: text,
      cause: expect.stringContaining('do not get all outputs of this one'),
    })
    expect(step.outputs).not.toHaveProperty('log')
  })
})

describe('outputs are handed on as they are', () => {
  const configuration = [
    'X-Source: github',
    'X-Format: json',
    'X-Notify: success',
    'X-Port: 8080',
    'X-Id: 4242',
  ]

  it.each([
    ['configuration in webhook-headers', configuration, []],
    ['even a mask that hits them', ['X-Api-Key: github'], ['artifact-url']],
  ])('%s alters none', async (_, headers, hidden) => {
    await using sandbox = await openSandbox()
    const webhook = { webhook: 'https://127.0.0.1:9/', 'webhook-headers': headers.join('\n') }
    const inputs = { ...webhook, 'upload-artifact': 'true' }
    const scenario = { sandbox, automation: 'echo', seed: { by: 'github', port: 8080 }, inputs }
    await using step = await runAction(scenario)
    expect(step.outputs).toMatchObject({
      conclusion: 'success',
      result: '{"by":"github","port":8080}',
      'result-file': expect.stringMatching(/result\.json$/),
      'artifact-url': 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242',
    })
    const { log, ...data } = step.outputs
    expect(JSON.stringify(data)).not.toContain('***')
    expect(log).toContain('port')
    expect(step.droppedOutputs).toEqual(expect.arrayContaining(hidden))
    expect(annotationsOf(step, 'notice')).toEqual([])
  })

  it('but the log, which is for people, without its secrets', async () => {
    const body = 'console.log(seed.text); return seed.text'
    await using automations = await makeAutomations({ tell: body })
    await using sandbox = await openSandbox({ automations: automations.folder })
    const text = `the key is ${sandbox.apiKey}`
    await using step = await runAction({ sandbox, automation: 'tell', seed: { text } })
    expect(step.outputs).toMatchObject({ result: text, log: 'the key is ***\n' })
  })

  it('and the status without links, wherever they stand in it', async () => {
    await using sandbox = await openSandbox()
    const link = 'https://store.example/file?X-Signature=0123456789abcdef'
    const flags = { finished: true, error: false, stopped: false, container_error: false }
    const extra = { [link]: 1, note: `fetch <${link}> now`, other: ['s3://bucket/file'], kept: 'a' }
    const body = JSON.stringify({ ...flags, result_url: null, logs_url: null, extra })
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 200, times: 'always', body })
    await using step = await runAction({ sandbox })
    expect(JSON.parse(step.outputs['status'] ?? '')).toEqual({
      ...flags,
      extra: { '***': 1, note: 'fetch <***> now', other: ['***'], kept: 'a' },
    })
  })
})
