/**
 * The thread that compiles a schema and checks results by it: both may take for ever (a pattern of
 * the schema), or more memory than there is, and only a thread can be ended from outside.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { messageOf } from '../../errors.ts'
import { compileSchema, type ResultSchema } from './compile.ts'
import {
  UnreadableResult,
  wholeProblem,
  type SchemaProblems,
} from '../../execution/result-problems.ts'
import { readResult } from './read-result.ts'

/** What the thread posts, in this order; the last ones once for each file that it is sent. */
export type Posted =
  /** Its code is loaded. */
  | { kind: 'loaded' }
  | { kind: 'compiled'; problems: SchemaProblems | undefined }
  /** Not all problems of a result, for where the rest can't be found in time. */
  | { kind: 'first'; problems: SchemaProblems }
  | { kind: 'checked'; problems: SchemaProblems | undefined }
  /** In the place of `checked`. */
  | { kind: 'unreadable'; why: string }

if (parentPort) {
  const port = parentPort
  const post = (posted: Posted) => port.postMessage(posted)
  post({ kind: 'loaded' })
  const compiled = compileSchema(JSON.parse(String(workerData)))
  const problems = 'problems' in compiled ? compiled.problems : undefined
  post({ kind: 'compiled', problems })
  if ('schema' in compiled) {
    const { schema } = compiled
    port.on('message', (file: string) => {
      try {
        post({ kind: 'checked', problems: checkFile(file, schema, post) })
      } catch (error) {
        if (!(error instanceof UnreadableResult)) throw error
        post({ kind: 'unreadable', why: error.message })
      }
    })
  }
}

function checkFile(
  file: string,
  schema: ResultSchema,
  post: (posted: Posted) => void,
): SchemaProblems | undefined {
  const read = readResult(file)
  if ('problems' in read) return read.problems
  try {
    const first = schema.findFirst(read.value)
    if (!first) return undefined
    post({ kind: 'first', problems: { ...first, count: undefined } })
    return schema.findAll(read.value) ?? first
  } catch (error) {
    const why =
      error instanceof RangeError
        ? 'it is nested too deeply, or the schema refers to itself without end'
        : messageOf(error)
    return wholeProblem(`it could not be checked: ${why}`)
  }
}
