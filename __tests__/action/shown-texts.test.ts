import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { asPage, asParsed, asPrinted } from '../support/as-read.ts'
import { makeAutomations, printing, returning } from './support/automations.ts'
import { theError } from './support/facts.ts'
import { openOtherHost } from './support/other-host.ts'
import { runAction } from './support/run-action.ts'
import { printedBy } from './support/traces.ts'

const secret = 'p@ss#w0rd$<b>&"q"'
const inputs = {
  'print-log': 'always',
  webhook: 'http://127.0.0.1:9/hook',
  'webhook-headers': `X-Api-Key: ${secret}`,
}
const upload = { 'upload-artifact': 'true' }
const withColours = Array.from(secret).join('\u001b[31m')
const withDirections = Array.from(secret).join('\u202d')
const withEscapes = Array.from(secret)
  .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  .join('')

/** What people read of a step, place by place. */
function readPlaces(step: StepResult): Record<string, string> {
  const record = step.artifacts[0]?.files['execution.json']?.toString() ?? '{}'
  return {
    log: asPrinted(printedBy(step)),
    annotations: asPrinted(
      JSON.stringify(step.annotations.map(({ title, message }) => [title, message])),
    ),
    summary: asPage(step.summary),
    record: asParsed(record),
    'output log': asPrinted(step.outputs['log'] ?? ''),
  }
}

function expectSecretNowhere(step: StepResult): void {
  const places = Object.entries(readPlaces(step))
  expect(places.filter(([, text]) => text.includes(secret))).toEqual([])
}

async function runBody(body: string, more: Record<string, string> = {}): Promise<StepResult> {
  await using automations = await makeAutomations({ talk: body })
  await using sandbox = await openSandbox({ automations: automations.folder })
  return await runAction({ sandbox, automation: 'talk', inputs: { ...inputs, ...more } })
}

describe('a secret that only its reader would put together is read nowhere', () => {
  it('of a run that fails: in the log, and in the cause that it tells', async () => {
    const log = `start ${withColours}\nError: end ${withDirections}\n`
    await using step = await runBody(`${printing(Buffer.from(log))} process.exit(1)`, upload)
    expect(step.exitCode).toBe(1)
    expect(theError(step).message).toMatch(/^Error: end \*\*\*\n/)
    expect(asPage(step.summary)).toContain('start ***')
    expectSecretNowhere(step)
  })

  it.each([
    [
      'an object',
      `{"token":"the ${withEscapes}","${withEscapes}":1,"deep":{"list":["${withEscapes}"]}}`,
    ],
    ['rows', `[{"token":"the ${withEscapes}"},{"token":"\\u001b[1m${withEscapes}"}]`],
    ['a text', `the ${withColours}`],
  ])('of a run that succeeds with %s', async (what, text) => {
    const type = what === 'a text' ? 'text/plain' : 'application/json'
    await using step = await runBody(returning(type, Buffer.from(text)), upload)
    expect(step.exitCode).toBe(0)
    expect(asPage(step.summary)).toContain('the ***')
    expectSecretNowhere(step)
  })

  it('in the status record that the artifact holds', async () => {
    const flags = { finished: true, error: false, stopped: false, container_error: false }
    const more = { note: `the ${withColours}`, [withDirections]: [withColours] }
    const body = JSON.stringify({ ...flags, result_url: null, logs_url: null, ...more })
    await using statusHost = await openOtherHost(body)
    await using sandbox = await openSandbox()
    const told = { ...inputs, ...upload, 'status-base-url': statusHost.url }
    await using step = await runAction({ sandbox, inputs: told })
    expect(readPlaces(step)['record']).toContain('the ***')
    expectSecretNowhere(step)
  })
})

describe('foreign words within our lines', () => {
  const flood = `${'forged\n'.repeat(100_000)}✓ text-note succeeded`

  it('of an accepted start are one line of at most 500 characters, the output 4 KiB', async () => {
    await using sandbox = await openSandbox()
    const body = JSON.stringify({ message: flood, execution_id: 'id-1' })
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 202, body })
    await using step = await runAction({ sandbox, action: 'start' })
    const [line, ...more] = step.log.split('\n').filter((text) => text.includes('forged'))
    expect([step.exitCode, more]).toEqual([0, []])
    expect(line).toMatch(/^Started as execution id-1 \("forged .{480,500}…"\)$/)
    expect(Buffer.byteLength(step.outputs['message'] ?? '')).toBeLessThanOrEqual(4096)
    expect(step.outputs['message']).toMatch(/^forged\nforged/)
  })

  it('of a start that has to wait are one line of at most 500 characters', async () => {
    await using sandbox = await openSandbox()
    const body = JSON.stringify({ message: flood })
    const headers = { 'retry-after': '0' }
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 429, body, headers })
    await using step = await runAction({ sandbox })
    const [line, ...more] = step.log.split('\n').filter((text) => text.includes('forged'))
    expect([step.exitCode, more]).toEqual([0, []])
    expect(line).toMatch(/^Not accepted \(the service answered 429: forged .{400,500}…\); trying/)
  })
})

describe('the printed log', () => {
  const traceback = 'Traceback:\n  File "a.py", line 3, in main\nValueError: boom\n'
  const compiler = 'src/a.ts(1,2): error TS2322: wrong\n'

  it('stands behind a mark, so that no problem matcher of setup-python or tsc takes a line', async () => {
    await using step = await runBody(printing(Buffer.from(traceback + compiler)))
    const lines = step.stdout.split('\n').filter((line) => /a\.py|a\.ts/.test(line))
    expect(lines).toEqual([
      ' │   File "a.py", line 3, in main',
      ' │ src/a.ts(1,2): error TS2322: wrong',
    ])
    const matchers = [/^\s*File\s"(.*)",\sline\s(\d+),\sin\s(.*)$/, /^([^\s].*)[(:](\d+)[,:](\d+)/]
    expect(lines.filter((line) => matchers.some((matcher) => matcher.test(line)))).toEqual([])
  })

  it('shows a progress bar as a terminal would: the last state of the line', async () => {
    const bar = Array.from({ length: 5_000 }, (_, at) => `\rdone ${String(at)}`).join('')
    await using step = await runBody(printing(Buffer.from(`begin${bar}\nend\n`)))
    expect(step.outputs['log']).toBe('done 4999\nend\n')
    expect(step.stdout).toContain('\n │ done 4999\n │ end\n')
  })
})

describe('print-result: false', () => {
  it.each([
    ['application/json', '[{"word":"confidential"}]'],
    ['text/plain', 'confidential'],
  ])('keeps a result of %s out of log and summary, and in output and file', async (type, text) => {
    const body = returning(type, Buffer.from(text))
    await using step = await runBody(body, { 'print-result': 'false' })
    expect([step.exitCode, step.outputs['result']]).toEqual([0, text])
    expect(printedBy(step)).not.toContain('confidential')
    expect(step.summary).not.toContain('confidential')
    expect(step.summary).toContain('<strong>Result</strong>: <code>result.')
  })

  it('is not what it does by itself', async () => {
    await using step = await runBody(returning('text/plain', Buffer.from('confidential')))
    expect(step.stdout).toContain('\n │ confidential\n')
    expect(step.summary).toContain('confidential')
  })
})

describe('a JSON result', () => {
  it('that begins with a byte order mark is a table all the same', async () => {
    const text = '\ufeff[{"word":"one"},{"word":"two"}]'
    await using step = await runBody(returning('application/json', Buffer.from(text)))
    expect(step.summary).toContain('<th>word</th>')
    expect(step.summary).toContain('2 rows')
  })

  it('cut inside a string of escapes costs no more time than another one', async () => {
    const text = `[{"a":11},"${'\\"'.repeat(200_000)}"]`
    await using step = await runBody(returning('application/json', Buffer.from(text)))
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
  })
})
