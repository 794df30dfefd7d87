/** Reads a long text from an input, or from the file that the input names. */
import { constants, open } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod/mini'
import { codeOf, describeFileProblem } from '../../errors.ts'
import { describePlace } from './json-problem.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

export interface LongText {
  /** The text without the byte order mark that some editors write before a text. */
  text: string
  /** The beginning of an error message, which names the file. Empty for an inline text. */
  place: string
}

export const inlineText = changed(z.string(), (given): LongText => ({
  text: given.replace(/^\uFEFF/, ''),
  place: '',
}))

/**
 * Reads a file of at most `limit` bytes. The file may be outside of `workspace`, the folder that
 * relative paths start from.
 */
export function textFile(workspace: string, limit: number) {
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

const notRegular = 'not a regular file'

/** Refuses pipes and devices, because reading a pipe or a device may never end. */
async function readTextFile(file: string, limit: number): Promise<string> {
  // Without O_NONBLOCK, opening a pipe waits until another process opens the other end. Windows has
  // no O_NONBLOCK.
  await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const found = await opened.stat()
  if (!found.isFile()) throw new Error(notRegular)
  if (found.size > limit) throw new Error(`it is larger than ${limit / 2 ** 20} MiB`)
  return decode(await opened.readFile())
}

function describeReadProblem(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return 'there is no such file; check that an earlier step checks out or creates the file'
  }
  return code === 'ENXIO' || code === 'EISDIR' ? notRegular : describeFileProblem(error)
}

/** Decodes UTF-8. The decoder removes a byte order mark, because ignoreBOM is not set. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    const text = new TextDecoder('utf-8').decode(bytes)
    const where = describePlace(text, text.indexOf('\uFFFD'))
    throw new Error(`it is not UTF-8 ${where}; save it as UTF-8`, { cause: error })
  }
}
