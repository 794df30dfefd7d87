import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

/** The parts of an `action.yml` that the runner uses. */
export interface ActionFile {
  /** Folder of the `action.yml`. */
  folder: string
  /** Absolute path of the program. */
  main: string
  /** Every declared input with its default, or '' without one. Expressions are not evaluated. */
  defaults: Record<string, string>
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

// An input or output without any field is an empty text in the failsafe schema.
const fields = z.union([z.literal(''), z.looseObject({ default: z.string().optional() })])
const schema = z.looseObject({
  inputs: z.record(z.string(), fields).optional(),
  runs: z.looseObject({ using: z.string().regex(/^node\d+$/), main: z.string() }),
})

/**
 * Reads the `action.yml` of `action`, a folder relative to the repository's root or absolute.
 * As in the runner, every scalar is text: a default of `true` is the text `true`.
 */
export async function readActionFile(action: string): Promise<ActionFile> {
  const folder = path.resolve(repository, action)
  const text = await readFile(path.join(folder, 'action.yml'), 'utf8')
  const { inputs = {}, runs } = schema.parse(parse(text, { schema: 'failsafe' }))
  const defaults = Object.entries(inputs).map(([name, input]): [string, string] => [
    name,
    input === '' ? '' : (input.default ?? ''),
  ])
  return {
    folder,
    main: underTest(path.resolve(folder, runs.main)),
    defaults: Object.fromEntries(defaults),
  }
}

/** Tests run bundles made from the sources as they are, not the committed ones. */
function underTest(main: string): string {
  const bundles = process.env['BUNDLES_UNDER_TEST']
  const place = path.relative(path.join(repository, 'dist'), main)
  return bundles === undefined || place.startsWith('..') ? main : path.join(bundles, place)
}

/** Returns the runner's warning about undeclared inputs. The action receives them nevertheless. */
export function describeUnexpected(
  inputs: Record<string, string>,
  action: ActionFile,
): string | undefined {
  const valid = Object.keys(action.defaults)
  const known = new Set(valid.map((name) => name.toLowerCase()))
  const unexpected = Object.keys(inputs).filter((name) => !known.has(name.toLowerCase()))
  if (unexpected.length === 0) return undefined
  const list = (names: string[]) => names.map((name) => `'${name}'`).join(', ')
  return `Unexpected input(s) ${list(unexpected)}, valid inputs are [${list(valid)}]`
}
