/** The inputs that only a batch has: its seeds, and how many of them run at once. */
import path from 'node:path'
import { z } from 'zod/mini'
import type { SeedList } from '../../execution/batch/seed-list.ts'
import { FileSource, textSource, UnreadableFile } from '../seeds/byte-source.ts'
import { takeShard } from '../seeds/found-seeds.ts'
import { labelPath, type LabelPath } from '../seeds/label.ts'
import { readSeeds } from '../seeds/read-seeds.ts'
import { shardInput } from '../seeds/shard.ts'
import { remedyFor } from './seed.ts'
import {
  addProblem,
  booleanInput,
  changed,
  leaveOutAbsent,
  lineOfText,
  optional,
  quote,
  refuse,
  wholeNumberBetween,
} from './text.ts'

const text = z.optional(z.string())

/**
 * The seeds are read with the label at hand, so that a large list is read once. The texts are
 * parsed here, not as fields: a field with a problem would keep the others' problems untold.
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

/** Parses one input by its schema; undefined where it is not given or has problems, which are told. */
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
export function inlineSeeds(label?: LabelPath) {
  return changed(z.string(), async (json, context): Promise<SeedList> => {
    const read = await readSeeds(textSource(json), { lines: false, label })
    if (!('problems' in read)) return read
    const remedy = await remedyFor(json)
    return tellAll(context, read.problems, (problem, index) =>
      index === 0 && remedy !== undefined ? `${problem}; ${remedy}` : problem,
    )
  })
}

/** A file that holds a JSON array of objects, or one JSON object a line. */
export function seedsFile(workspace: string, label?: LabelPath) {
  return changed(lineOfText, async (file, context): Promise<SeedList> => {
    try {
      const source = new FileSource(path.resolve(workspace, file))
      const read = await readSeeds(source, { lines: true, label })
      if (!('problems' in read)) return read
      return tellAll(context, read.problems, (problem) => `in ${quote(file)}: ${problem}`)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      return refuse(context, `expected the path of a file, found ${quote(file)}: ${error.message}`)
    }
  })
}

// An annotation has room for some problems only.
const shownProblems = 10

function tellAll(
  context: z.core.ParsePayload,
  problems: readonly string[],
  inWords: (problem: string, index: number) => string,
): never {
  for (const problem of problems.slice(0, shownProblems).map(inWords)) addProblem(context, problem)
  const more = problems.length - shownProblems
  if (more > 0) addProblem(context, inWords(`${more} more problems`, shownProblems))
  return z.NEVER
}

/** More at once would not end sooner: all checks together stay under five a second. */
export const pool = changed(
  z.object({ 'max-parallel': wholeNumberBetween(1, 200), 'fail-fast': booleanInput }),
  (given) => ({ maxParallel: given['max-parallel'], failFast: given['fail-fast'] }),
)
