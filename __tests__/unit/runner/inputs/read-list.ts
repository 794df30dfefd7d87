import type { SeedList } from '../../../../src/execution/batch/batch.ts'
import { readSeedList } from '../../../../src/runner/inputs/seed-list.ts'

export async function listOf(text: string): Promise<SeedList> {
  const read = await readSeedList(text, { lines: true })
  if ('problems' in read) throw new Error(`not read: ${read.problems.join()}`)
  return read
}

/** Returns the seeds' texts, in the order of the list. */
export function textsIn({ seeds }: SeedList): string[] {
  return seeds.map(({ text }) => text)
}

/** Returns the problems of a list. @throws Error if the list has none. */
export async function problemsIn(text: string, form = { lines: true }): Promise<string[]> {
  const read = await readSeedList(text, form)
  if (!('problems' in read)) throw new Error('the list was accepted, but problems were expected')
  return read.problems
}
