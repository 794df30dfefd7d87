import type { BatchSeed } from '../../../../src/execution/batch/batch.ts'
import { readSeedList, type ListSource } from '../../../../src/runner/inputs/seed-list.ts'

export function listOf(text: string): readonly BatchSeed[] {
  const { seeds, problems } = readSeedList(text, 'file')
  if (problems.length > 0) throw new Error(`not read: ${problems.join()}`)
  return seeds
}

/** Returns the seeds' texts, in the order of the list. */
export function textsIn(seeds: readonly BatchSeed[]): string[] {
  return seeds.map(({ text }) => text)
}

/** Returns the problems of a list. @throws Error if the list has none. */
export function problemsIn(text: string, source: ListSource = 'file'): readonly string[] {
  const { problems } = readSeedList(text, source)
  if (problems.length === 0) throw new Error('the list was accepted, but problems were expected')
  return problems
}
