/** Tests that each text that lists conclusions names all of them. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { readActionFiles, root } from '../../scripts/docs/action-files.ts'
import {
  conclusions,
  failOnConclusions,
  retriableOutcomes,
  type Conclusion,
} from '../../src/execution/conclusion.ts'

const all = Object.keys(conclusions) as Conclusion[]
const { run, wait, batch } = await readActionFiles()

/** Returns the conclusions that a text names. */
function namesIn(text: string): string[] {
  const words = new Set(text.match(/[a-z]+(?:-[a-z]+)*/g))
  return all.filter((conclusion) => words.has(conclusion))
}

/** Returns the sentence of a description that begins with these words. */
function sentence(begin: string, { description }: { description: string }): string {
  return description.split(/(?<=\.) /).find((each) => each.startsWith(begin)) ?? ''
}

it.each(Object.entries({ run, wait, batch }))(
  'the input fail-on of %s names each conclusion that it may name, as does its default',
  (_, { inputs }) => {
    const failOn = inputs['fail-on'] ?? { description: '' }
    expect(namesIn(sentence('Possible are', failOn))).toEqual(failOnConclusions)
    expect(failOn.default).toBe(failOnConclusions.join(', '))
  },
)

it.each(Object.entries({ run, batch }))(
  'the input retry-on of %s names each conclusion that it may name',
  (_, { inputs }) => {
    const retryOn = inputs['retry-on'] ?? { description: '' }
    expect(namesIn(sentence('Possible are', retryOn))).toEqual(retriableOutcomes)
  },
)

it.each(Object.entries({ run, wait }))('the output conclusion of %s names all', (_, action) => {
  const output = action.outputs['conclusion'] ?? { description: '' }
  expect(namesIn(sentence('How the run ended', output))).toEqual(all)
})

it('the output failed of batch names each conclusion of a run that failed', () => {
  const failed = all.filter((each) => conclusions[each].category === 'failed')
  const [, list = ''] = /\((.*?)\)/.exec(batch.outputs['failed']?.description ?? '') ?? []
  // A refused start is not a run.
  expect(namesIn(list)).toEqual(failed.filter((each) => each !== 'refused'))
})

it('the table in README.md has a row for each conclusion', () => {
  const rows = readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(
    /^\|[^|]*\| +`([a-z-]+)` +\|/gm,
  )
  expect(Array.from(rows, ([, name]) => name)).toEqual(expect.arrayContaining(all))
})
