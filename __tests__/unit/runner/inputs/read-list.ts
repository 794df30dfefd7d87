import type { BatchSeed } from '../../../../src/execution/batch/batch-types.ts'
import type { Source } from '../../../../src/runner/inputs/seed.ts'
import { readSeedList } from '../../../../src/runner/inputs/seed-list.ts'
import { problemsOf } from './problems.ts'

export function listOf(text: string): readonly BatchSeed[] {
  return readSeedList(text, 'file')
}

/** Returns the seeds' texts, in the order of the list. */
export function textsIn(seeds: readonly BatchSeed[]): string[] {
  return seeds.map(({ text }) => text)
}

/** Returns the problems of a list. @throws Error if the list has none. */
export function problemsInList(text: string, source: Source = 'file'): readonly string[] {
  return problemsOf((list) => readSeedList(list, source), text)
}
