/**
 * The worker that compiles a schema and checks results. A check can run forever (for example
 * because of a pattern) or need too much memory, but a worker can be terminated. If the worker
 * receives a file path, the worker sends the problems of the result in the file. If the worker
 * receives `undefined`, the worker sends the problems of the schema.
 */
import { readFileSync, statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { describeFault, findJsonFault } from '../inputs/json-problem.ts'
import { compileSchema } from './compile.ts'
import type { WorkerAnswer } from './compiled-schema.ts'

export const maxMegabytes = 64

if (parentPort) {
  const port = parentPort
  const compiled = compileSchema(JSON.parse(String(workerData)))
  port.on('message', (file: string | undefined) => {
    const answer: WorkerAnswer =
      'problems' in compiled
        ? { problems: compiled.problems, unknownFormats: [] }
        : {
            problems: file === undefined ? undefined : checkFile(file, compiled.check),
            unknownFormats: compiled.unknownFormats,
          }
    port.postMessage(answer)
  })
}

const tooDeep = 'it is nested too deeply, or the schema refers to itself without end'

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
  try {
    return check(value)
  } catch (error) {
    // The error ends this worker. The step reads the message, and the result counts as not validated.
    throw error instanceof RangeError ? new Error(tooDeep, { cause: error }) : error
  }
}

/** Returns the text of a file, or why it cannot be JSON. Throws if the file cannot be read. */
function readText(file: string): string | SchemaProblems {
  if (statSync(file).size > maxMegabytes * 2 ** 20) {
    return wholeProblem(`it is larger than ${maxMegabytes} MiB, the most that is checked`)
  }
  const bytes = readFileSync(file)
  try {
    // TextDecoder removes a byte order mark, which JSON.parse refuses.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? wholeProblem('it is empty') : text
  } catch {
    return wholeProblem('it is not JSON, because it is not UTF-8')
  }
}
