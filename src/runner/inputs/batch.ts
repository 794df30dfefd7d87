/** The inputs that only a batch has: its seeds, and how many of them run at once. */
import { z } from 'zod/mini'
import type { SeedList } from '../../execution/batch/batch.ts'
import { labelPointer, labelSeeds, readSeedList, shardInput, takeShard } from './seed-list.ts'
import { remedyFor } from './seed.ts'
import {
  addProblems,
  booleanInput,
  changed,
  named,
  notBoth,
  optional,
  quote,
  wholeNumberBetween,
} from './text.ts'
import { textFile } from './text-file.ts'

export function list(workspace: string) {
  const fields = z.object({
    seeds: optional(inlineSeeds),
    'seeds-file': optional(seedsFile(workspace)),
    label: optional(labelPointer),
    shard: optional(shardInput),
  })
  return changed(fields.check(atMostOneList, atLeastOneList), async (given) => {
    const { seeds: inline, 'seeds-file': file, label, shard } = given
    const whole = inline ?? file
    if (!whole) return z.NEVER
    const seeds = label === undefined ? whole.seeds : await labelSeeds(whole.seeds, label)
    // A misspelt label: no seed of the whole list has it.
    const isUnfound = seeds.length > 0 && seeds.every((seed) => seed.label === undefined)
    return {
      seeds: takeShard({ seeds, total: whole.total }, shard),
      shard,
      unfoundLabel: label !== undefined && isUnfound ? quote(label) : undefined,
    }
  })
}

interface Lists {
  seeds?: SeedList | undefined
  'seeds-file'?: SeedList | undefined
}

const atMostOneList = notBoth('seeds', 'seeds-file', 'a batch takes one list')
// Reported whatever else is wrong with either: what is given counts, not what is sound.
const atLeastOneList = z.refine<Lists>(
  (given) => given.seeds !== undefined || given['seeds-file'] !== undefined,
  {
    path: ['seeds'],
    error: 'required where no seeds-file is given, but empty or not given; give one of the two',
    when: () => true,
  },
)

/** A JSON array of objects. */
const inlineSeeds = changed(z.string(), async (given, context): Promise<SeedList> => {
  const text = given.replace(/^\uFEFF/, '')
  const list = await readSeedList(text, { lines: false })
  if (!('problems' in list)) return list
  const [first = '', ...others] = list.problems
  addProblems(context, [first + remedyFor(text), ...others])
  return z.NEVER
})

/** A file that holds a JSON array of objects, or one JSON object a line. */
function seedsFile(workspace: string) {
  return changed(textFile(workspace), async ({ text, place }, context): Promise<SeedList> => {
    const list = await readSeedList(text, { lines: true })
    if (!('problems' in list)) return list
    addProblems(
      context,
      list.problems.map((problem) => `${place}: ${problem}`),
    )
    return z.NEVER
  })
}

/** More at once would not end sooner: all checks together stay under five a second. */
export const pool = changed(
  z.object({ 'max-parallel': wholeNumberBetween(1, 200), 'fail-fast': booleanInput }),
  named,
)
