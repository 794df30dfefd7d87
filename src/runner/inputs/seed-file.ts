import { constants, open } from 'node:fs/promises'
import path from 'node:path'
import { codeOf, describeFileProblem } from '../../messages/file-problem.ts'
import { findSeedProblem } from './seed.ts'
import { lineOfText, quote, refuse } from './text.ts'

/**
 * The text of the file that holds the seed, given by its path relative to the workspace. It may
 * lie anywhere that the job can read, such as the runner's temp folder.
 */
export function seedFile(workspace: string) {
  return lineOfText.transform(async (file, context) => {
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
    // Opening a pipe would wait for its writer without O_NONBLOCK, which Windows leaves undefined.
    await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    // A pipe or a device would hang the read or never end it.
    if (!(await opened.stat()).isFile()) return { problem: 'it is a folder or no regular file' }
    // Without ignoreBOM the decoder leaves a byte order mark out, and nothing else.
    return new TextDecoder('utf-8', { fatal: true }).decode(await opened.readFile())
  } catch (error) {
    return { problem: readProblem(error) }
  }
}

function readProblem(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return 'there is no such file; does a step before this one check out or make it?'
  }
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return 'it is not UTF-8; save it as UTF-8'
  // A socket, for one, cannot even be opened.
  if (code === 'ENXIO' || code === 'EISDIR') return 'it is a folder or no regular file'
  return describeFileProblem(error)
}
