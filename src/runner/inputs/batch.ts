/** Declares the inputs that only a batch has, such as its list of seeds. */
import { z } from 'zod/mini'
import type { BatchSeed } from '../../execution/batch/batch.ts'
import { labelOf, maxListSize, readSeedList, type ListSource } from './seed-list.ts'
import {
  addProblems,
  booleanInput,
  changed,
  named,
  notBoth,
  optional,
  settingText,
  wholeNumberBetween,
} from './text.ts'
import { inlineText, textFile, type LongText } from './text-file.ts'

export function list(workspace: string) {
  const fields = z.object({
    seeds: optional(listFrom(inlineText, 'inline')),
    'seeds-file': optional(listFrom(textFile(workspace, maxListSize), 'file')),
    label: optional(settingText),
  })
  return changed(fields.check(atMostOneList, atLeastOneList), (given): readonly BatchSeed[] => {
    const { seeds: inline, 'seeds-file': file, label } = given
    const seeds = inline ?? file ?? []
    if (label === undefined) return seeds
    return seeds.map((seed) => ({ ...seed, label: labelOf(seed.text, label) }))
  })
}

interface Lists {
  seeds?: readonly BatchSeed[] | undefined
  'seeds-file'?: readonly BatchSeed[] | undefined
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

function listFrom(texts: z.ZodMiniType<LongText>, source: ListSource) {
  return changed(texts, ({ text, place }, context): readonly BatchSeed[] => {
    const { seeds, problems, count } = readSeedList(text, source)
    if (count === 0) return seeds
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
