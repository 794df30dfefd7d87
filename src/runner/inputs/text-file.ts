/** An input that is the path of a text file to read. */
import path from 'node:path'
import { describeReadProblem, openRegularFile } from '../readable-file.ts'
import { PlaceFinder } from './json-problem.ts'
import { changed, lineOfText, quote, refuse } from './text.ts'

const maxBytes = 100 * 2 ** 20

/** A file's text without a byte order mark, and the words for where it stands. */
export interface TextOfFile {
  text: string
  place: string
}

/** `workspace`: what the path is relative to. The file may lie anywhere. */
export function textFile(workspace: string, limit = maxBytes) {
  return changed(lineOfText, async (file, context): Promise<TextOfFile> => {
    try {
      return {
        text: await readTextFile(path.resolve(workspace, file), limit),
        place: `in ${quote(file)}`,
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
    const where = new PlaceFinder(text).describe(text.indexOf('\uFFFD'))
    throw new Error(`it is not UTF-8 ${where}; save it as UTF-8`, { cause: error })
  }
}
