import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

describe('wrong inputs', () => {
  it.each<['wait' | 'batch', string, string, boolean]>([
    ['wait', 'unknown', 'true', true],
    ['batch', 'failure', 'maybe', true],
    ['batch', 'failure', 'False', false],
  ])('of %s: its conclusion is %s, with summary %s', async (action, conclusion, summary, shown) => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, action, inputs: { timeout: '10x', summary } })

    expect([step.exitCode, step.outputs['conclusion'], sandbox.requests]).toEqual([
      1,
      conclusion,
      [],
    ])
    expect(step.summary.includes('<li>timeout: ')).toBe(shown)
  })

  it('are all reported at once, each by its name, and no request is sent', async () => {
    await using sandbox = await openSandbox()
    const inputs = {
      'base-url': 'http://automations.example.com',
      seed: '{\n  "top": 3,\n  "name": oops\n}',
      'seed-file': 'no-such-seed.json',
      'webhook-headers': 'X-Team: data\nno colon here',
      timeout: '10x',
      'fail-on': 'error, eror',
      'retention-days': 'a week',
      summary: 'perhaps',
    }
    await using step = await runAction({ sandbox, inputs })
    const { title, message } = theError(step)
    expect([step.exitCode, sandbox.requests]).toEqual([1, []])
    const file = step.outputs['summary-file'] ?? ''
    expect(step.outputs).toEqual({
      conclusion: 'not-started',
      cause: message.split('\n')[0],
      'summary-file': file,
    })
    expect(await readFile(file, 'utf8')).toContain(step.summary)
    const entries = Array.from(step.summary.matchAll(/<li>([^:]+):/g), ([, name]) => name)
    expect([step.summary.split('\n')[0], entries]).toEqual([
      '<h3>❌ Invalid input</h3>',
      message
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(':')[0]),
    ])
    expect(title).toBe('Invalid input')
    expect(message.split('\n')).toEqual([
      expect.stringMatching(/^base-url: .*https/),
      expect.stringMatching(/^seed: .*line 3, column 11/),
      expect.stringMatching(/^seed-file: .*no-such-seed\.json/),
      expect.stringMatching(/^seed-file: given together with seed/),
      expect.stringMatching(/^webhook-headers: .*colon/),
      expect.stringMatching(/^timeout: .*"10x"/),
      expect.stringMatching(/^fail-on: .*"eror"/),
      expect.stringMatching(/^retention-days: /),
      expect.stringMatching(/^summary: /),
      expect.stringMatching(/^Next: Fix the inputs of this step; nothing was sent\.$/),
    ])
  })
})
