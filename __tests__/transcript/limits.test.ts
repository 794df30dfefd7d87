/** Tests that texts of any size and script keep the layout and the limits of log and summary. */
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { makeAutomations } from '../action/support/automations.ts'
import { runAction } from '../action/support/run-action.ts'
import { problemsOf } from '../unit/messages/summary/summary-problems.ts'

const kibibyte = 1024

/** Runs an automation with this body, and prints its log in any case. */
async function runBody(body: string): Promise<StepResult> {
  await using automations = await makeAutomations({ subject: body })
  await using sandbox = await openSandbox({ automations: automations.folder })
  const inputs = { 'print-log': 'always' }
  return await runAction({ sandbox, automation: 'subject', inputs })
}

function expectBounds({ summary, log, annotations }: StepResult): void {
  expect(problemsOf(summary)).toEqual([])
  expect(Buffer.byteLength(summary)).toBeLessThan(200 * kibibyte)
  // The last 1 MiB of the run's log, and our own lines.
  expect(Buffer.byteLength(log)).toBeLessThan(1100 * kibibyte)
  expect(Math.max(0, ...annotations.map(({ message }) => message.length))).toBeLessThan(4097)
}

describe('10,000 lines of log', () => {
  it('are printed whole, folded; the summary of a failure shows the last 40', async () => {
    await using step = await runBody(`
      for (let line = 1; line <= 10_000; line++) console.log('line ' + line)
      throw new Error('the end')`)
    expectBounds(step)
    expect(step.log.match(/^ │ line \d+$/gm)).toHaveLength(10_000)
    expect(step.summary).toContain("The log's last 40 lines")
    expect(step.summary.match(/^line \d+$/gm)?.length).toBeLessThan(40)
    expect(step.summary).toContain('RuntimeError: the end</pre>')
  })
})

describe('a single line of 1 MB', () => {
  it('in the log of a failed run', async () => {
    await using step = await runBody(`
      console.log('x'.repeat(1_000_000))
      throw new Error('y'.repeat(1_000_000))`)
    expectBounds(step)
    expect(longestLineOf(step.summary)).toBeLessThan(3 * kibibyte)
    expect(step.annotations[0]?.message).toMatch(/^RuntimeError: y+…/)
  })
})

function longestLineOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => line.length))
}
