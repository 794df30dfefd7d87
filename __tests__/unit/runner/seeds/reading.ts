import { SeedUnavailable, type SeedList } from '../../../../src/execution/batch/seed-list.ts'
import { textSource, type ByteSource } from '../../../../src/runner/seeds/byte-source.ts'
import { readSeeds, type ListForm } from '../../../../src/runner/seeds/read-seeds.ts'
import { rejectionOf } from '../../../support/rejection.ts'

/** A text in chunks of a few bytes, so that all that spans two chunks is met. */
export function choppedSource(text: string | Buffer, size: number): ByteSource {
  const bytes = Buffer.from(text)
  return {
    ...textSource(''),
    *chunks(from) {
      for (let at = from; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    },
    read: ({ start, end }) => Promise.resolve(bytes.subarray(start, end)),
  }
}

const form: ListForm = { lines: true, label: undefined }

export async function listOf(text: string, options: Partial<ListForm> = {}): Promise<SeedList> {
  const read = await readSeeds(choppedSource(text, 7), { ...form, ...options })
  if ('problems' in read) throw new Error(`not read: ${read.problems.join()}`)
  return read
}

/** The seeds' texts, in the order of the list. */
export async function textsIn(list: SeedList): Promise<string[]> {
  return Promise.all(list.seeds.map((seed) => list.textOf(seed)))
}

/** The problems of a list that has to have some. */
export async function problemsIn(
  text: string | Buffer,
  options: Partial<ListForm> = {},
): Promise<string[]> {
  const read = await readSeeds(choppedSource(text, 7), { ...form, ...options })
  if (!('problems' in read)) throw new Error('accepted, where problems were expected')
  return read.problems
}

/** Why a seed's text can't be had. */
export async function lossOf(reading: Promise<string>): Promise<string> {
  const error = await rejectionOf(reading)
  if (!(error instanceof SeedUnavailable)) throw new Error('no loss', { cause: error })
  return error.message
}
