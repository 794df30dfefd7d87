/** What a person is told whose list, or other input of a batch, is wrong: before anything is started. */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const seeds = '[{"city":"Bern"}]'
const seedLine = '{"city":"Bern"}\n'

/** Files of the workspace that the inputs below name. */
const files = {
  'good.json': seeds,
  'no-list.json': '{"cities": []}\n[1]',
  'broken.jsonl': `${seedLine.repeat(811)}{"city": Bern}\n${seedLine}`,
  'long.jsonl': seedLine.repeat(10_001),
}

async function runWith(inputs: Record<string, string>) {
  await using workspace = await makeTemporaryFolder()
  await using sandbox = await openSandbox()
  await mkdir(path.join(workspace.path, 'folder'))
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
      'two lists',
      { seeds, 'seeds-file': 'good.json' },
      /^seeds-file: given together with seeds, .* remove seeds or seeds-file$/,
    ],
    ['no list', {}, /^seeds: required where no seeds-file is given, .* give one of the two$/],
    [
      'a file that is not there',
      { 'seeds-file': 'none.json' },
      /^seeds-file: expected the path of a file, found "none\.json": .+/,
    ],
    [
      'a folder in the place of a file',
      { 'seeds-file': 'folder' },
      /^seeds-file: expected the path of a file, found "folder": .+/,
    ],
    [
      'no time at all',
      { seeds, timeout: '0s' },
      /^timeout: expected the time that the whole batch may take, such as 1h, found 0s, .*action wait$/,
    ],
    [
      'more than 10,000 seeds',
      { 'seeds-file': 'long.jsonl' },
      /^seeds-file: in "long\.jsonl": expected at most 10,000 seeds, found more; split the list/,
    ],
    [
      'no list at all',
      { seeds: '{"city":"Bern"}' },
      /^seeds: expected a JSON array of objects, found/,
    ],
    [
      'an element that is no object',
      { seeds: '[\n  {"a": 1},\n  "Bern"\n]' },
      /^seeds: element 2: expected a JSON object, found a string, at line 3, column 3$/,
    ],
    [
      'broken JSON far below',
      { 'seeds-file': 'broken.jsonl' },
      /^seeds-file: in "broken\.jsonl": element 812: .*line 812, column 10/,
    ],
    [
      'a shard past the last',
      { seeds, shard: '3/3' },
      /^shard: expected index\/total .*, found "3\/3"$/,
    ],
    [
      'a shard below the first',
      { seeds, shard: '-1/2' },
      /^shard: expected index\/total .*, found "-1\/2"$/,
    ],
    ['a shard of none', { seeds, shard: '0/0' }, /^shard: expected index\/total .*, found "0\/0"$/],
    [
      'no run at once',
      { seeds, 'max-parallel': '0' },
      /^max-parallel: .* from 1 to 200, found "0"$/,
    ],
    [
      'too many at once',
      { seeds, 'max-parallel': '201' },
      /^max-parallel: .* from 1 to 200, found "201"$/,
    ],
    [
      'half a boolean',
      { seeds, 'fail-fast': 'yes' },
      /^fail-fast: expected true or false, found "yes"$/,
    ],
    [
      'a label that is no pointer',
      { seeds, label: '/a~2' },
      /^label: .*JSON Pointer.*found "\/a~2"$/,
    ],
    [
      'a report in the place of a folder',
      { seeds, 'junit-file': 'folder' },
      /^junit-file: expected the path of a file that can be written, found "folder": it is a folder$/,
    ],
    [
      'a folder in the place of a file',
      { seeds, 'results-folder': 'good.json' },
      /^results-folder: expected a folder .*, found "good\.json": a file stands where a folder is needed$/,
    ],
    [
      'a folder outside of the workspace',
      { seeds, 'results-folder': '../out' },
      /^results-folder: expected a folder inside the workspace, found "\.\.\/out"$/,
    ],
    ['too many retries', { seeds, retries: '11' }, /^retries: .* from 0 to 10, found "11"$/],
    [
      'a word for on-rerun',
      { seeds, 'on-rerun': 'never' },
      /^on-rerun: expected one of .*"never"$/,
    ],
    ['a name no artifact may have', { seeds, 'artifact-name': 'a/b' }, /^artifact-name: .*"a\/b"$/],
  ])('%s', async (_, inputs, problem) => {
    const { title, lines, facts } = await runWith(inputs)

    expect(facts).toEqual([1, { conclusion: 'failure' }, []])
    expect(title).toBe('Invalid input')
    expect(lines).toEqual([
      expect.stringMatching(problem),
      expect.stringMatching(/^Next: Fix .*nothing was started/),
    ])
  })

  it('tells every problem of a list at once, each by its element', async () => {
    const { title, lines } = await runWith({ seeds: '[1, {}, null]', shard: '2/2' })

    expect(title).toBe('Invalid inputs')
    expect(lines.slice(0, -1)).toEqual([
      'seeds: element 1: expected a JSON object, found a number, at line 1, column 2',
      'seeds: element 3: expected a JSON object, found null, at line 1, column 9',
      expect.stringMatching(/^shard: /),
    ])
  })
})

it.each(['', ' \n\n'])(
  'an empty list starts nothing and passes, as the file %j does',
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

describe('a label that leads to no text names no run', () => {
  it.each([
    ['which no seed has', 'country'],
    ['which is an object', 'place'],
  ])('%s: the run has its number, and passes', async (_, label) => {
    await using sandbox = await openSandbox()
    const inputs = { seeds: '[{"place":{"city":"Bern"}}]', label }
    await using step = await runAction({ sandbox, action: 'batch', inputs })

    expect(step.exitCode).toBe(0)
    expect(JSON.parse(step.outputs['results'] ?? '')).toMatchObject([{ index: 0, label: null }])
  })
})
