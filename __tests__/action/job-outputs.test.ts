/** Tests which outputs the next job gets. The runner drops an output that contains a mask. */
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { serve } from '../support/http-server.ts'
import { makeAutomations } from './support/automations.ts'
import { runAction } from './support/run-action.ts'
import { placesWith, tracesOf } from './support/traces.ts'

const files = { 'upload-artifact': 'true' }
const url = 'https://github.com/run-automation/run-automation/actions/runs'

/** Expects that the runner drops no output, and that no output that machines read was redacted. */
function expectIntact({ outputs, jobOutputs, exitCode }: StepResult): void {
  expect(exitCode).toBe(0)
  expect(jobOutputs).toEqual(outputs)
  expect(Object.values(outputs).filter((value) => value.includes('***'))).toEqual([])
}

describe('all outputs of a job arrive', () => {
  it.each([
    'X-Key-Version: 2',
    'X-Monkey: a',
    'Idempotency-Key: 7',
    'X-Token-Type: a\nX-Key-Version: 0',
  ])('beside the webhook header %j', async (header) => {
    await using sandbox = await openSandbox()
    const webhook = { webhook: 'https://127.0.0.1:9/', 'webhook-headers': header }
    await using step = await runAction({ sandbox, inputs: { ...files, ...webhook } })
    expectIntact(step)
  })

  it('beside a webhook whose path is the name of the repository', async () => {
    await using sandbox = await openSandbox()
    const webhook = { webhook: 'https://relay.example/run-automation?source=github' }
    const env = { GITHUB_REPOSITORY: 'run-automation/run-automation' }
    await using step = await runAction({ sandbox, inputs: { ...files, ...webhook }, env })
    expectIntact(step)
    expect(step.jobOutputs['artifact-url']).toContain(url)
  })

  const executionId = '3f2504e0-4f89-11d3-9a0c-0305e82c3301'
  it.each([
    'x-id=GetObject',
    'filename=result.json',
    'source=github',
    'response-content-type=application/json;charset=utf-8',
    `execution=${executionId}`,
  ])('beside a link that ends with %s', async (last) => {
    await using sandbox = await openSandbox()
    const text = JSON.stringify({ text: last, parts: last.split('=') })
    await using store = await serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    })
    const link = `${store.url}?X-Amz-Signature=0123456789abcdef&${last}`
    const flags = { finished: true, error: false, stopped: false, container_error: false }
    const body = JSON.stringify({
      ...flags,
      exec_uuid: executionId,
      result_url: link,
      logs_url: link,
    })
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 200, body, times: 'always' })
    const inputs = { ...files, 'execution-id': executionId, 'upload-artifact': 'true' }
    await using step = await runAction({ sandbox, action: 'wait', inputs })
    expectIntact(step)
    expect(step.jobOutputs['result']).toBe(text)
    expect(step.masks).toContain('0123456789abcdef')
  })
})

describe('the output result', () => {
  it('has no byte order mark, which the file keeps', async () => {
    const body = "return { contentType: 'application/json', body: Buffer.from('\\ufeff[1]') }"
    await using automations = await makeAutomations({ marked: body })
    await using sandbox = await openSandbox({ automations: automations.folder })
    await using step = await runAction({ sandbox, automation: 'marked', inputs: files })
    expect(step.outputs['result']).toBe('[1]')
    const [stored] = step.artifacts
    expect(stored?.files['result.json']?.toString()).toBe('\ufeff[1]')
  })

  it('that contains a masked value is announced as one that GitHub drops', async () => {
    await using sandbox = await openSandbox()
    const seed = { key: sandbox.apiKey }
    await using step = await runAction({ sandbox, automation: 'echo', seed, inputs: files })
    expect(step.outputs['result']).toContain(sandbox.apiKey)
    expect(step.jobOutputs).not.toHaveProperty('result')
    expect(step.log).toContain('The result contains a masked value. GitHub would drop it')
  })
})

describe("the webhook's address", () => {
  const path = 'services/T024BE7LD/B024BE7LH/Kd1Bu7TfOs'

  it.each([
    ['of Slack', `https://hooks.slack.com/${path}`],
    ['with a short path', 'https://relay.example/hook'],
  ])('%s is in no text, although the service quotes it', async (_whose, webhook) => {
    await using sandbox = await openSandbox()
    const body = JSON.stringify({ message: `cannot reach ${webhook} (${path})` })
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 400, body, times: 'always' })
    const inputs = { ...files, webhook, seeds: '[{"text":"a"}]' }
    await using step = await runAction({ sandbox, action: 'batch', inputs })
    expect(step.exitCode).toBe(1)
    const hidden = webhook.includes(path) ? [path, webhook] : [webhook]
    expect(placesWith(hidden, await tracesOf(step))).toEqual([])
    expect(step.outputs['cause']).toContain('***')
  })
})
