/**
 * The worker that compiles a schema and checks results. A check can run forever (for example
 * because of a pattern) or need too much memory, but a worker can be terminated. If the worker
 * receives a file path, the worker sends the problems of the result in the file. If the worker
 * receives `undefined`, the worker sends the problems of the schema.
 */
import { readFileSync, statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { describeFileProblem, messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { describeFault, findJsonFault } from '../inputs/json-problem.ts'
import { compileSchema } from './compile.ts'

export const maxMegabytes = 64
/**
 * The maximum length of a member name, in characters. For each problem, ajv copies all names in the
 * path of the value. Copying longer names could end the process.
 */
const maxNameLength = 4 * 2 ** 20

if (parentPort) {
  const port = parentPort
  const compiled = compileSchema(JSON.parse(String(workerData)))
  port.on('message', (file: string | undefined) => {
    if ('problems' in compiled) port.postMessage(compiled.problems)
    else port.postMessage(file === undefined ? undefined : checkFile(file, compiled.check))
  })
}

function checkFile(
  file: string,
  check: (value: unknown) => SchemaProblems | undefined,
): SchemaProblems | undefined {
  const text = readText(file)
  if (typeof text !== 'string') return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    const fault = findJsonFault(text) ?? text.length
    return wholeProblem('it is not JSON', describeFault(text, fault))
  }
  if (text.length > maxNameLength && hasLongName(text)) {
    return wholeProblem(
      'a name of a member is longer than 4 Mi characters, the most that is checked',
    )
  }
  try {
    return check(value)
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'it is nested too deeply, or the schema refers to itself without end'
        : messageOf(error)
    return wholeProblem(`it could not be checked: ${why}`)
  }
}

/** Returns true if a member name is too long. `json`: a valid JSON text. */
function hasLongName(json: string): boolean {
  for (let start = json.indexOf('"'); start !== -1;) {
    const end = endOfString(json, start)
    const isName = () =>
      json
        .slice(end + 1)
        .trimStart()
        .startsWith(':')
    if (end - start > maxNameLength && isName()) return true
    start = json.indexOf('"', end + 1)
  }
  return false
}

/** Returns the offset of the closing quote. An even number of backslashes precedes this quote. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    let first = end
    while (json[first - 1] === '\\') first -= 1
    if ((end - first) % 2 === 0) return end
  }
}

function readText(file: string): string | SchemaProblems {
  let bytes: Buffer
  try {
    if (statSync(file).size > maxMegabytes * 2 ** 20) {
      return wholeProblem(`it is larger than ${maxMegabytes} MiB, the most that is checked`)
    }
    bytes = readFileSync(file)
  } catch (error) {
    return wholeProblem(`its file on the runner cannot be read: ${describeFileProblem(error)}`)
  }
  try {
    // TextDecoder removes a byte order mark, which JSON.parse refuses.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? wholeProblem('it is empty') : text
  } catch {
    return wholeProblem('it is not JSON, because it is not UTF-8')
  }
}
