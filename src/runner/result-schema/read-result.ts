/** Reads the file of a result as JSON. */
import { readFileSync, statSync } from 'node:fs'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { describeFault, findJsonFault } from '../inputs/json-problem.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'

const maxMegabytes = 64

export type Read = { value: unknown } | { problems: SchemaProblems }

export function readResult(file: string): Read {
  try {
    if (statSync(file).size > maxMegabytes * 2 ** 20) {
      return {
        problems: wholeProblem(`it is larger than ${maxMegabytes} MiB, the most that is checked`),
      }
    }
    return parse(readFileSync(file))
  } catch (error) {
    return { problems: wholeProblem(`it could not be read (${describeFileProblem(error)})`) }
  }
}

function parse(bytes: Buffer): Read {
  let text: string
  try {
    // Leaves a byte order mark out, which is no part of the JSON.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { problems: wholeProblem('it is not JSON, since it is not UTF-8') }
  }
  if (text.trim() === '') return { problems: wholeProblem('it is empty') }
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    const fault = findJsonFault(text) ?? text.length
    return { problems: wholeProblem(`it is not JSON: ${describeFault(text, fault)}`) }
  }
}
