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
