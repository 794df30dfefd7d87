/**
 * The thread that compiles a schema and checks results by it: both may take for ever (a pattern of
 * the schema), or more memory than there is, and only a thread can be ended from outside. It answers
 * the name of a result's file with what is wrong with that, and `undefined` with what is wrong with
 * the schema.
 */
import { readFileSync, statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../errors.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { describeFault, findJsonFault } from '../inputs/json-problem.ts'
import { compileSchema } from './compile.ts'

const maxMegabytes = 64

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
    return wholeProblem(`it is not JSON: ${describeFault(text, fault)}`)
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
    // Leaves a byte order mark out, which is no part of the JSON.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.trim() === '' ? wholeProblem('it is empty') : text
  } catch {
    return wholeProblem('it is not JSON, since it is not UTF-8')
  }
}
