/** The seed's JSON text, given inline or in a file. It goes on unchanged. */
import path from 'node:path'
import { z } from 'zod/mini'
import { describeReadProblem, openToRead } from '../readable-file.ts'
import { describeStop, kindOf, locateJsonProblem } from './json-problem.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

/**
 * The seed's JSON text. It goes on unchanged, character for character: parsing and writing it
 * again would alter numbers such as `12345678901234567890`, `1.0` and `1e400`.
 */
export const seedText = changed(z.string(), async (given, context) => {
  // Some editors put a byte order mark before a text. It is no part of the JSON.
  const text = given.replace(/^\uFEFF/, '')
  const problem = await findSeedProblem(text)
  if (problem === undefined) return text
  const remedy = await remedyFor(text)
  return refuse(context, remedy === undefined ? problem : `${problem}; ${remedy}`)
})

/** What helps where a text looks as if a value was put in as it is; undefined where it does not. */
export async function remedyFor(text: string): Promise<string | undefined> {
  return (await looksPasted(text)) ? useToJson : undefined
}

const useToJson =
  'if a value comes from an expression, put it in with toJSON, without quotes around it: {"name": ${{ toJSON(inputs.name) }}}'

/**
 * Whether a text stops being JSON where a value was put in as it is: where one should begin and
 * something else or nothing stands, at a line break within a string, or behind a quote that ended
 * a string too early.
 */
async function looksPasted(text: string): Promise<boolean> {
  try {
    JSON.parse(text)
    return false
  } catch (error) {
    const { offset } = (await locateJsonProblem(text, error)) ?? { offset: text.length }
    const rest = text.slice(offset)
    const before = text.slice(0, offset).trimEnd().at(-1)
    const isLineBreak = /^[\r\n]/.test(rest)
    const isWrongValue = /[:[]/.test(before ?? '') && !/^(?:'|$)/.test(rest)
    const isAfterString = before === '"' && /^[^'"}\]/]/.test(rest)
    return isLineBreak || isWrongValue || isAfterString || text.includes('${{')
  }
}

/** What keeps a text from being a seed ("Start request": an object), or undefined. */
export async function findSeedProblem(text: string): Promise<string | undefined> {
  try {
    const found = kindOf(JSON.parse(text))
    return found === 'an object' ? undefined : `expected a JSON object, found ${found}`
  } catch (error) {
    return `expected a JSON object, found ${await describeJsonProblem(text, error)}`
  }
}

async function describeJsonProblem(text: string, failure: unknown): Promise<string> {
  const place = await locateJsonProblem(text, failure)
  if (!place) return 'a text that is not valid JSON'
  return describeStop(text.slice(place.offset, place.offset + 2), place)
}

/**
 * The text of the file that holds the seed, given by its path relative to the workspace. It may
 * lie anywhere that the job can read, such as the runner's temp folder.
 */
export function seedFile(workspace: string) {
  return changed(lineOfText, async (file, context) => {
    const text = await readSeed(path.resolve(workspace, file))
    if (typeof text !== 'string') {
      return refuse(context, `expected the path of a file, found ${quote(file)}: ${text.problem}`)
    }
    const problem = await findSeedProblem(text)
    return problem === undefined ? text : refuse(context, `in ${quote(file)}: ${problem}`)
  })
}

async function readSeed(file: string): Promise<string | { problem: string }> {
  try {
    await using opened = await openToRead(file)
    // Without ignoreBOM the decoder leaves a byte order mark out, and nothing else.
    return new TextDecoder('utf-8', { fatal: true }).decode(await opened.readFile())
  } catch (error) {
    return { problem: describeReadProblem(error) }
  }
}
