/** Declares the inputs that only a batch has, such as its list of seeds. */
import { z } from 'zod/mini'
import type { SeedList } from '../../execution/batch/batch.ts'
import { labelSeeds, readSeedList, shardInput, takeShard } from './seed-list.ts'
import {
  addProblems,
  booleanInput,
  changed,
  named,
  notBoth,
  optional,
  quote,
  settingText,
  wholeNumberBetween,
} from './text.ts'
import { inlineText, textFile, type LongText } from './text-file.ts'

export function list(workspace: string) {
  const fields = z.object({
    seeds: optional(listFrom(inlineText, { lines: false })),
    'seeds-file': optional(listFrom(textFile(workspace), { lines: true })),
    label: optional(settingText),
    shard: optional(shardInput),
  })
  return changed(fields.check(atMostOneList, atLeastOneList), async (given) => {
    const { seeds: inline, 'seeds-file': file, label, shard } = given
    const whole = inline ?? file
    if (!whole) return z.NEVER
    const seeds = label === undefined ? whole.seeds : await labelSeeds(whole.seeds, label)
    // If no seed of the whole list has a label, the input `label` is probably misspelt.
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
// This check runs even if the inputs are invalid, because it only tests which inputs are given.
const atLeastOneList = z.refine<Lists>(
  (given) => given.seeds !== undefined || given['seeds-file'] !== undefined,
  {
    path: ['seeds'],
    error: 'required if seeds-file is not given, but empty or not given; give one of the two',
    when: () => true,
  },
)

function listFrom(source: z.ZodMiniType<LongText>, form: { lines: boolean }) {
  return changed(source, async ({ text, place }, context): Promise<SeedList> => {
    const list = await readSeedList(text, form)
    if (!('problems' in list)) return list
    const { problems, count } = list
    addProblems(
      context,
      problems.map((problem) => place + problem),
      count,
    )
    return z.NEVER
  })
}

/** A higher limit would not help, because a batch sends at most 5 status requests a second. */
export const maxParallel = 200

export const pool = changed(
  z.object({ 'max-parallel': wholeNumberBetween(1, maxParallel), 'fail-fast': booleanInput }),
  named,
)
