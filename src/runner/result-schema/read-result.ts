/** Reads the file of a result as JSON. */
import { readFileSync, statSync } from 'node:fs'
import { describeFileProblem } from '../../messages/file-problem.ts'
import { describeFault, findJsonFault } from '../inputs/json-problem.ts'
import {
  UnreadableResult,
  wholeProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'

const maxMegabytes = 64

export type Read = { value: unknown } | { problems: SchemaProblems }

/** @throws UnreadableResult where its file cannot be read. */
export function readResult(file: string): Read {
  const bytes = readBytes(file)
  if (bytes) return parse(bytes)
  return {
    problems: wholeProblem(`it is larger than ${maxMegabytes} MiB, the most that is checked`),
  }
}

/** Undefined where that is too much. */
function readBytes(file: string): Buffer | undefined {
  try {
    return statSync(file).size > maxMegabytes * 2 ** 20 ? undefined : readFileSync(file)
  } catch (error) {
    throw new UnreadableResult(describeFileProblem(error), { cause: error })
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
