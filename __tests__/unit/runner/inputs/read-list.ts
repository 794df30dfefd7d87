import type { SeedList } from '../../../../src/execution/batch/batch.ts'
import { readSeedList, type ListForm } from '../../../../src/runner/inputs/seed-list.ts'

const form: ListForm = { lines: true, label: undefined }

export function listOf(text: string, options: Partial<ListForm> = {}): SeedList {
  const read = readSeedList(text, { ...form, ...options })
  if ('problems' in read) throw new Error(`not read: ${read.problems.join()}`)
  return read
}

/** The seeds' texts, in the order of the list. */
export function textsIn({ seeds }: SeedList): string[] {
  return seeds.map(({ text }) => text)
}

/** The problems of a list that has to have some. */
export function problemsIn(text: string, options: Partial<ListForm> = {}): string[] {
  const read = readSeedList(text, { ...form, ...options })
  if (!('problems' in read)) throw new Error('accepted, where problems were expected')
  return read.problems
}
