import { readFile, realpath } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { answering, serve } from '../support/http-server.ts'
import { makeAutomations, printing, returning } from './support/automations.ts'
import { filesBelow, requestsOf, theError } from './support/facts.ts'
import { runPastTimeout } from './support/past-timeout.ts'
import { runAction } from './support/run-action.ts'
import { until } from './support/until.ts'

const commands = [
  '::error::forged',
  '  ::warning::forged after white space',
  'anywhere ##[error]forged ##[add-mask]conclusion',
  '::stop-commands::endless',
  '::endless::',
  '::add-mask::success',
  '::set-output name=conclusion::forged',
  '::save-state name=forged::forged',
  '::endgroup::',
  'before\r::notice::forged after a carriage return',
  '\u001b]0;title\u0007\u001b[2J\u001b[31m::error::forged in colour',
  '\u2028::error::forged after a line separator',
  '</pre></details></table>\n\n# forged heading\n\n```\n<script>alert(1)</script>',
].join('\n')
const broken = Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x0d, 0x0a, 0xed, 0xa0, 0x80])
const hostile = Buffer.concat([Buffer.from(commands), broken, Buffer.from(`\n${commands}\n`)])

/** Expects that the runner obeyed only commands of the action itself. */
function expectNothingObeyed(step: StepResult): void {
  const own = ['add-mask', 'debug', 'group', 'endgroup', 'stop-commands', 'error']
  const obeyed = step.commands.map(({ command }) => command)
  expect(obeyed.filter((command) => !own.includes(command))).toEqual([])
  const count = (name: string) => obeyed.filter((command) => command === name).length
  expect(count('group')).toBe(count('endgroup'))
  expect(count('stop-commands')).toBe(count('group'))
  expect(step.masks.filter((mask) => ['success', 'conclusion'].includes(mask))).toEqual([])
  expect([step.state, step.exportedEnv]).toEqual([{}, {}])
  expect(step.annotations.filter(({ message }) => message.startsWith('forged'))).toEqual([])
  // The only terminal codes are the colours of our own headings.
  const coloured = step.log.split('\u001b').slice(1)
  expect(coloured.filter((text) => !/^\[(1;3\d|0)m/.test(text))).toEqual([])
  // Preformatted text may look like Markdown, as long as it contains no tag.
  expect(step.summary).not.toContain('<script')
  expect(step.summary.replace(/<pre>[^<]*<\/pre>/g, '')).not.toMatch(/^# forged|^```/m)
}

describe('a hostile log and result', () => {
  const automation = 'hostile'
  const inputs = { 'print-log': 'always', 'upload-artifact': 'true' }

  it('of a run that succeeds: no command is obeyed, and the files keep their bytes', async () => {
    const body = printing(hostile) + returning('text/plain', hostile)
    await using automations = await makeAutomations({ hostile: body })
    await using sandbox = await openSandbox({ automations: automations.folder })
    await using step = await runAction({ sandbox, automation, inputs })
    expect([step.exitCode, step.outputs['conclusion'], step.annotations]).toEqual([
      0,
      'success',
      [],
    ])
    expectNothingObeyed(step)
    expect(step.log).toContain('::error::forged')
    expect(step.log).toContain('The result is not UTF-8 text, so the output result stays empty.')
    expect(await readFile(step.outputs['log-file'] ?? '')).toEqual(hostile)
    expect(await readFile(step.outputs['result-file'] ?? '')).toEqual(hostile)
    expect(step.artifacts[0]?.files['run.log']).toEqual(hostile)
  })

  it('of a run that fails: the cause is shown, and no command is obeyed', async () => {
    const last = 'Error: ##[error]forged ::error::forged \u001b[31mcause\u202e'
    const body = `${printing(hostile)} process.stderr.write(${JSON.stringify(`${last}\n`)}); process.exit(1)`
    await using automations = await makeAutomations({ hostile: body })
    await using sandbox = await openSandbox({ automations: automations.folder })
    await using step = await runAction({ sandbox, automation, inputs })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'container-error'])
    expectNothingObeyed(step)
    expect(theError(step).message).toMatch(/^Error: # #\[error\]forged ::error::forged cause\n/)
  })
})

const plain = { 'content-type': 'text/plain' }

describe('hostile names never become paths', () => {
  it.each([
    ['../../x', '::error::forged'],
    ['a/b', '##[error]forged'],
    ['..%2f..%2fx', '../../x'],
    ['C:\\x', 'a/b?c#d'],
    ['id?x=1#y', '**bold** <img src=x onerror=alert(1)> | `x`'],
    ['::error::x', 'ünï 漢字 %2F'],
  ])('the execution id %j of the automation %j', async (id, automation) => {
    await using sandbox = await openSandbox({ projects: { demo: { [automation]: 'text-note' } } })
    const start = JSON.stringify({ status: 'success', message: 'ok', execution_id: id })
    const flags = { finished: true, error: false, stopped: false, container_error: false }
    await using store = await serve(answering(200, 'kept', plain))
    const link = `${store.url}/kept`
    const status = JSON.stringify({ ...flags, result_url: link, logs_url: link })
    const answer = { fault: 'status', status: 202, body: start, accepted: true } as const
    sandbox.faults.inject({ on: 'start', ...answer })
    // The sandbox does not know this id, so another host answers the checks.
    await using statusHost = await serve(answering(200, status))
    const inputs = { 'upload-artifact': 'true', 'status-base-url': statusHost.url }
    await using step = await runAction({ sandbox, automation, inputs })
    expect([step.exitCode, step.outputs['conclusion'], step.annotations]).toEqual([
      ...[0, 'success', []],
    ])
    expect(step.outputs['execution-id']).toBe(id)
    expect(requestsOf(sandbox, 'start')[0]?.path).toBe(
      `/api/start-automation/demo/${encodeURIComponent(automation)}`,
    )
    expect(sandbox.executions[0]?.automation).toBe(automation)
    expect(statusHost.seen[0]?.path).toBe(`/api/v4/execution/${encodeURIComponent(id)}/status`)
    const folder = path.dirname(step.outputs['result-file'] ?? '')
    expect(path.dirname(folder)).toBe(await realpath(step.temp))
    expect(await filesBelow(step.workspace)).toEqual({})
    expect(step.artifacts[0]?.name).not.toMatch(/["<>|*?:\r\n\\/]/)
    expect(step.summary).not.toContain('<img')
    expectNothingObeyed(step)
  })
})

describe('a service that sends hostile texts', () => {
  it.each<['start' | 'status', number, string]>([
    ['start', 403, 'text-note was not started'],
    ['status', 401, 'text-note can no longer be watched'],
  ])('when it refuses on the %s route', async (on, status, title) => {
    await using sandbox = await openSandbox()
    const body = JSON.stringify({ message: commands })
    sandbox.faults.inject({ on, fault: 'status', status, times: 'always', body })
    const isRefused = () => until(() => requestsOf(sandbox, on).length > 0)
    // Credentials that the start has proven are refused for 30 s before the wait ends.
    await using step = await runPastTimeout({ sandbox }, isRefused, 30_000)
    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe(title)
    expect(theError(step).message.length).toBeLessThan(4096)
    expect(theError(step).message).toMatch(/\nNext: Check/)
    expectNothingObeyed(step)
  })

  it('in place of links: the result is missing, and no mask is made of the texts', async () => {
    const lines = Array.from({ length: 100_000 }, (_, line) => line).join('\n')
    const links = { result_url: lines, logs_url: 'e' }
    await using sandbox = await openSandbox()
    sandbox.script('next', [links, { finished: true, ...links }])
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'success'])
    expect(theError(step).title).toBe('text-note succeeded, but its result is missing')
    expect(step.masks).toEqual([sandbox.apiToken, sandbox.apiKey])
  })
})
