/** Reads the file that an input names. */
import { constants, open } from 'node:fs/promises'
import { codeOf, describeFileProblem } from '../../errors.ts'
import { describePlace } from './json-problem.ts'
import { InputProblem, quote } from './readings.ts'

/** Returns the text of a UTF-8 file. @throws InputProblem, which calls the file `name`. */
export async function readTextFile(file: string, name: string, maxSize: number): Promise<string> {
  try {
    return await readRegularFile(file, maxSize)
  } catch (error) {
    const why = describeReadProblem(error)
    throw new InputProblem(`expected the path of a file, found ${quote(name)}: ${why}`)
  }
}

const notRegular = 'not a regular file'

/** Refuses pipes and devices, because reading a pipe or a device may never end. */
async function readRegularFile(file: string, maxSize: number): Promise<string> {
  // Without O_NONBLOCK, opening a pipe waits until another process opens the other end. Windows has
  // no O_NONBLOCK.
  await using opened = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const found = await opened.stat()
  if (!found.isFile()) throw new Error(notRegular)
  if (found.size > maxSize) throw new Error(`it is larger than ${maxSize / 2 ** 20} MiB`)
  const text = decode(await opened.readFile())
  // Without this check, a pointer would be read as CSV with two seeds.
  if (text.startsWith('version https://git-lfs')) {
    throw new Error('it is a pointer of Git LFS; give actions/checkout the input lfs: true')
  }
  return text
}

function describeReadProblem(error: unknown): string {
  const code = codeOf(error)
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return 'there is no such file; check its path (with / between folders), and that an earlier step checks out or creates the file'
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
