import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations, printing, returning } from './support/automations.ts'
import { runAction } from './support/run-action.ts'
import { printedBy } from './support/traces.ts'

const secret = 'p@ss#w0rd$<b>&"q"'
const inputs = {
  'print-log': 'always',
  webhook: 'http://127.0.0.1:9/hook',
  'webhook-headers': `X-Api-Key: ${secret}`,
}

async function runBody(body: string, more: Record<string, string> = {}): Promise<StepResult> {
  await using automations = await makeAutomations({ talk: body })
  await using sandbox = await openSandbox({ automations: automations.folder })
  return await runAction({ sandbox, automation: 'talk', inputs: { ...inputs, ...more } })
}

describe('the printed log', () => {
  const traceback = 'Traceback:\n  File "a.py", line 3, in main\nValueError: boom\n'
  const compiler = 'src/a.ts(1,2): error TS2322: wrong\n'

  it('has a mark before each line, so that problem matchers of setup-python and tsc match none', async () => {
    await using step = await runBody(printing(Buffer.from(traceback + compiler)))
    const lines = step.stdout.split('\n').filter((line) => /a\.py|a\.ts/.test(line))
    expect(lines).toEqual([
      ' │   File "a.py", line 3, in main',
      ' │ src/a.ts(1,2): error TS2322: wrong',
    ])
    const matchers = [/^\s*File\s"(.*)",\sline\s(\d+),\sin\s(.*)$/, /^([^\s].*)[(:](\d+)[,:](\d+)/]
    expect(lines.filter((line) => matchers.some((matcher) => matcher.test(line)))).toEqual([])
  })
})

describe('print-result: false', () => {
  it.each([
    ['application/json', '[{"word":"confidential"}]'],
    ['text/csv', 'word\nconfidential\n'],
    ['text/plain', 'confidential'],
  ])(
    'hides a result of %s in log and summary, and keeps it in output and file',
    async (type, text) => {
      const body = returning(type, Buffer.from(text))
      await using step = await runBody(body, { 'print-result': 'false' })
      expect([step.exitCode, step.outputs['result']]).toEqual([0, text])
      expect(printedBy(step)).not.toContain('confidential')
      expect(step.summary).not.toContain('confidential')
      expect(step.summary).toContain('<strong>Result</strong>: <code>result.')
    },
  )
})

describe('rows in CSV', () => {
  it('are a table with a chart in the summary, without secrets, and text in log and output', async () => {
    const quoted = secret.replaceAll('"', '""')
    const csv = `day,note,n\n2026-01-01,"a ${quoted}",1\n2026-01-02,<b>,2.50\n2026-01-03,,3\n`
    await using step = await runBody(returning('text/csv', Buffer.from(csv)))
    expect([step.exitCode, step.outputs['result']]).toEqual([0, csv])
    expect(step.summary).toContain('<code>result.csv</code> (text/csv, ')
    expect(step.summary).toContain('    line [1, 2.5, 3]\n')
    expect(step.summary).toContain('<td dir="auto">a ***</td><td align="right">1</td>')
    expect(step.summary).toContain('<td dir="auto">&lt;b&gt;</td><td align="right">2.50</td>')
  })
})
