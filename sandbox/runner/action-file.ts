import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { z } from 'zod'

/** The parts of an `action.yml` that the runner uses. */
export interface ActionFile {
  /** The folder of the `action.yml`. */
  folder: string
  /** The absolute path of the program. */
  main: string
  /** The default of each input, or '' if it has no default. Expressions are not evaluated. */
  defaults: Record<string, string>
}

const repository = fileURLToPath(new URL('../..', import.meta.url))

// In the failsafe schema of YAML, an input without fields is an empty text.
const fields = z.union([z.literal(''), z.looseObject({ default: z.string().optional() })])
const schema = z.looseObject({
  inputs: z.record(z.string(), fields).optional(),
  runs: z.looseObject({ using: z.string().regex(/^node\d+$/), main: z.string() }),
})

/**
 * Reads the `action.yml` in a folder. A relative path starts at the root of the repository. Every
 * value is a text, as in GitHub's runner: a default of `true` is the text `true`.
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
    main: bundleToRun(path.resolve(folder, runs.main)),
    defaults: Object.fromEntries(defaults),
  }
}

/** Returns the bundle to run. Tests run bundles that are made from the current sources. */
function bundleToRun(main: string): string {
  const bundles = process.env['BUNDLES_UNDER_TEST']
  const place = path.relative(path.join(repository, 'dist'), main)
  return bundles === undefined || place.startsWith('..') ? main : path.join(bundles, place)
}

/** Returns GitHub's warning about undeclared inputs. The action still receives these inputs. */
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
