/** Tests that a wrong list, or other input of a batch, is reported before anything is started. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const seedLine = '{"city":"Bern"}\n'

/** The files in the workspace. */
const files = {
  'broken.jsonl': `${seedLine.repeat(811)}{"city": Bern}\n${seedLine}`,
}

async function runWith(inputs: Record<string, string>) {
  await using workspace = await makeTemporaryFolder()
  await using sandbox = await openSandbox()
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(workspace.path, name), text)
  }
  await using step = await runAction({
    sandbox,
    action: 'batch',
    inputs,
    workspace: workspace.path,
  })
  const { title = '', message } = theError(step)
  const { exitCode, outputs } = step
  return { title, lines: message.split('\n'), facts: [exitCode, outputs, sandbox.requests] }
}

describe('an input of a batch that is wrong: one error names it, and nothing is started', () => {
  it.each<[string, Record<string, string>, RegExp]>([
    [
      'broken JSON after 811 lines',
      { 'seeds-file': 'broken.jsonl' },
      /^seeds-file: in "broken\.jsonl": expected a JSON object on one line, .*line 812, column 10/,
    ],
  ])('%s', async (_, inputs, problem) => {
    const { title, lines, facts } = await runWith(inputs)

    const outputs = { conclusion: 'failure', cause: expect.stringMatching(problem) }
    expect(facts).toEqual([1, expect.objectContaining(outputs), []])
    expect(title).toMatch(/^Invalid input of /)
    expect(lines).toEqual([
      expect.stringMatching(problem),
      expect.stringMatching(/^Next: Fix .*nothing was sent/),
    ])
  })
})

it.each(['', ' \n\n'])(
  'an empty list starts nothing and passes, also in a file: %j',
  async (text) => {
    await using workspace = await makeTemporaryFolder()
    await using sandbox = await openSandbox()
    await writeFile(path.join(workspace.path, 'failed-seeds.jsonl'), text)
    const inputs = { 'seeds-file': 'failed-seeds.jsonl' }
    await using step = await runAction({
      sandbox,
      action: 'batch',
      inputs,
      workspace: workspace.path,
    })

    expect([step.exitCode, sandbox.requests]).toEqual([0, []])
    expect(step.outputs).toMatchObject({ conclusion: 'success', total: '0' })
  },
)
