/** Reads the input for the JSON Schema of results, and compiles the schema. */
import path from 'node:path'
import { systemClock } from '../../clock.ts'
import { wholeProblem, type SchemaProblems } from '../../execution/result-problems.ts'
import { describeSchemaProblem } from '../../messages/describe-result-problems.ts'
import type { CompiledSchema, ResultSchema } from '../result-schema/compiled-schema.ts'
import type { Inputs } from './inputs.ts'
import { findOther } from './json-problem.ts'
import { InputProblem } from './readings.ts'

export const maxSchemaSize = 2 ** 20

const example = '{"type": "array", "minItems": 1}'

const name = 'result-schema'

// A text of several lines is not a path. If it is YAML, its problem says so. Quotes around a schema
// and the word Object come from a wrong toJSON.
const inlineSchema = /^\s*(?:["']?\s*[{[]|(?:Object|Array)\s*$)|\S\s*[\r\n]\s*\S/

/** Reads an inline schema or the file of a schema. */
export async function readResultSchema(given: Inputs): Promise<ResultSchema | undefined> {
  const read = async (text: string): Promise<ResultSchema> => {
    const compiled = await compile(text, given.bundles)
    if (!('problems' in compiled)) return compiled
    throw new InputProblem(compiled.problems.map(describeSchemaProblem))
  }
  const isInline = inlineSchema.test(given.text(name) ?? '')
  return isInline ? await given.long(name, read) : await given.file(name, maxSchemaSize, read)
}

async function compile(text: string, bundles: string): Promise<CompiledSchema | SchemaProblems> {
  const found = findOther(text, { opening: '{', example, fileInput: name, isInline: false })
  if (found !== undefined) return wholeProblem(`expected a JSON Schema, found ${found}`)
  // The compiler is loaded only if it is needed, because most steps have no schema.
  const worker = path.join(bundles, 'result-check', 'index.js')
  const { CompiledSchema } = await import('../result-schema/compiled-schema.ts')
  return CompiledSchema.compile(text, worker, systemClock)
}
