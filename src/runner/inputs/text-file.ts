/** A long text: an input itself, or the file that it names. */
import path from 'node:path'
import { z } from 'zod/mini'
import { describeReadProblem, openRegularFile } from '../files.ts'
import { describePlace } from './json-problem.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

export const maxBytes = 100 * 2 ** 20

export interface LongText {
  /** Without the byte order mark that some editors put before it. */
  text: string
  /** The file's name, with which a problem begins. */
  place: string
}

export const inlineText = changed(z.string(), (given): LongText => ({
  text: given.replace(/^\uFEFF/, ''),
  place: '',
}))

/** `workspace` is the folder for relative paths. The file may be anywhere. */
export function textFile(workspace: string, limit = maxBytes) {
  return changed(lineOfText, async (file, context): Promise<LongText> => {
    try {
      return {
        text: await readTextFile(path.resolve(workspace, file), limit),
        place: `in ${quote(file)}: `,
      }
    } catch (error) {
      const why = describeReadProblem(error)
      return refuse(context, `expected the path of a file, found ${quote(file)}: ${why}`)
    }
  })
}

async function readTextFile(file: string, limit: number): Promise<string> {
  await using opened = await openRegularFile(file)
  const { size } = await opened.stat()
  if (size > limit) {
    throw new Error(`it is larger than ${limit / 2 ** 20} MiB`)
  }
  return decode(await opened.readFile())
}

/** Without ignoreBOM the decoder leaves a byte order mark out, and nothing else. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const text = new TextDecoder('utf-8').decode(bytes)
    const where = describePlace(text, text.indexOf('\uFFFD'))
    throw new Error(`it is not UTF-8 ${where}; save it as UTF-8`, { cause: error })
  }
}
