/** The inputs that only a batch has: its seeds, and how many of them run at once. */
import { z } from 'zod/mini'
import type { SeedList } from '../../execution/batch/batch.ts'
import {
  labelPath,
  type LabelPath,
  readLargeSeedList,
  readSeedList,
  takeShard,
  shardInput,
} from './seed-list.ts'
import { remedyFor } from './seed.ts'
import {
  addProblem,
  booleanInput,
  changed,
  leaveOutAbsent,
  named,
  optional,
  quote,
  wholeNumberBetween,
} from './text.ts'
import { textFile } from './text-file.ts'

const text = z.optional(z.string())

/**
 * The seeds are read with the label at hand. The texts are parsed here, not as fields: a field with
 * a problem would keep the others' problems from being reported.
 */
export function list(workspace: string) {
  const texts = z.object({ seeds: text, 'seeds-file': text, label: text, shard: text })
  return changed(texts, async (given, context) => {
    const read = readerOf(given, context)
    const label = await read('label', labelPath)
    const shard = await read('shard', shardInput)
    const inline = await read('seeds', inlineSeeds(label))
    const file = await read('seeds-file', seedsFile(workspace, label))
    const problem = findListProblem(isGiven(given.seeds), isGiven(given['seeds-file']))
    if (problem) addProblem(context, problem.message, problem.path)
    const whole = inline ?? file
    if (!whole || context.issues.length > 0) return z.NEVER
    const unfoundLabel = isUnfound(label, whole) ? quote(given.label ?? '') : undefined
    return leaveOutAbsent({ seeds: takeShard(whole, shard), shard, unfoundLabel })
  })
}

/** Parses one input by its schema; undefined where it is not given or has problems, which are reported. */
function readerOf<Texts extends Record<string, string | undefined>>(
  texts: Texts,
  context: z.core.ParsePayload,
) {
  return async <Schema extends z.core.$ZodType>(name: keyof Texts & string, schema: Schema) => {
    const { data, error } = await optional(schema).safeParseAsync(texts[name])
    for (const { message } of error?.issues ?? []) {
      addProblem(context, message, [name])
    }
    return data
  }
}

/** A misspelt label: no seed of the whole list has it. */
function isUnfound(label: LabelPath | undefined, { seeds }: SeedList): boolean {
  return label !== undefined && seeds.length > 0 && seeds.every((seed) => seed.label === undefined)
}

function isGiven(given: string | undefined): boolean {
  return (given ?? '').trim() !== ''
}

function findListProblem(inline: boolean, file: boolean) {
  if (inline !== file) return undefined
  return inline
    ? {
        path: ['seeds-file'],
        message:
          'given together with seeds, and a batch takes one list; remove seeds or seeds-file',
      }
    : {
        path: ['seeds'],
        message:
          'required where no seeds-file is given, but empty or not given; give one of the two',
      }
}

/** A JSON array of objects. */
function inlineSeeds(label: LabelPath | undefined) {
  return changed(z.string(), (given, context): SeedList => {
    const text = given.replace(/^\uFEFF/, '')
    const list = readSeedList(text, { lines: false, label })
    if (!('problems' in list)) return list
    const remedy = remedyFor(text)
    return reportAll(context, list.problems, (problem, index) =>
      index === 0 && remedy !== undefined ? `${problem}; ${remedy}` : problem,
    )
  })
}

/** A file that holds a JSON array of objects, or one JSON object a line. */
function seedsFile(workspace: string, label: LabelPath | undefined) {
  return changed(textFile(workspace), async ({ text, place }, context): Promise<SeedList> => {
    const list = await readLargeSeedList(text, { lines: true, label })
    if (!('problems' in list)) return list
    return reportAll(context, list.problems, (problem) => `${place}: ${problem}`)
  })
}

// An annotation has room for some problems only.
const maxProblems = 10

function reportAll(
  context: z.core.ParsePayload,
  problems: readonly string[],
  inWords: (problem: string, index: number) => string,
): never {
  for (const problem of problems.slice(0, maxProblems).map(inWords)) addProblem(context, problem)
  const more = problems.length - maxProblems
  if (more > 0) addProblem(context, inWords(`${more} more problems`, maxProblems))
  return z.NEVER
}

/** More at once would not end sooner: all checks together stay under five a second. */
export const pool = changed(
  z.object({ 'max-parallel': wholeNumberBetween(1, 200), 'fail-fast': booleanInput }),
  named,
)
