import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'

/**
 * These names are only names of outputs. An output is read (`outputs.result-file`), expected in the
 * temporary folder, or declared with a `description`. An input would have a path as its value.
 */
const outputAsInput =
  /(?:^|[\s{,])(['"]?)(?:result|log|junit)-file\1:[ \t]+(?!''|expect\.)['"]?[\w$.{/][^\n]*/gm
const bareDuration = /(?:^|[\s{,])(['"]?)(?:timeout|poll-interval)\1:[ \t]+(['"])?\d+\2(?=\s|,|$)/gm

function findWrongUses(file: string, text: string): string[] {
  // In code, a bare number is a duration in milliseconds. Input values are in quotes.
  const isCode = /\.[cm]?[jt]s$/.test(file)
  const durations = [...text.matchAll(bareDuration)].filter(([, , quote]) => !isCode || quote)
  // The sources set outputs in such lines.
  const outputs = file.startsWith('src/') ? [] : text.matchAll(outputAsInput)
  return [...outputs, ...durations].map(([use]) => `${file}: ${use.trim()}`)
}

const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
const files = tracked
  .split('\0')
  .filter((file) => /\.(md|ya?ml|[cm]?[jt]s|snap|json)$/.test(file))
  .filter((file) => !file.startsWith('dist/') && !file.endsWith('input-words.test.ts'))

it('no page, workflow or code uses an output as an input, or a duration without a unit', () => {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
  expect(files).toEqual(expect.arrayContaining(['CHANGELOG.md', 'examples/commit-result.yml']))
  expect(files.flatMap((file) => findWrongUses(file, read(file)))).toEqual([])
})

it.each([
  ['page.md', '    result-file: data/a.json', 1],
  ['flow.yml', '          junit-file: reports/cities.xml', 1],
  ['page.md', '    timeout: 30', 1],
  ['flow.yml', 'with: { timeout: 1h, poll-interval: "5" }', 1],
  ['a.test.ts', "{ 'log-file': 'run.log', timeout: '90' }", 2],
  ['flow.yml', 'FILE: ${{ steps.a.outputs.result-file }}\n timeout-minutes: 30\n timeout: 0s', 0],
  ['action.yml', '  result-file:\n    description: Absolute path', 0],
  ['a.test.ts', "{ 'result-file': '', timeout: 0 }", 0],
])('sees the uses in %s: %j', (file, text, count) => {
  expect(findWrongUses(file, text)).toHaveLength(count)
})
