/** Reads the inputs of a step from the environment. All their problems are reported together. */
import path from 'node:path'
import { ActionError } from '../../messages/notice.ts'
import { headingOf } from '../../messages/catalogue.ts'
import { inputText, workspaceOf, type Environment } from '../environment.ts'
import { InputProblem, line, maxInputProblems, quote, type Reading } from './readings.ts'
import { readTextFile } from './text-file.ts'

/**
 * The defaults in `action.yml`. The runner uses them only if a workflow leaves an input out. It
 * passes an empty text if a variable is not set, or if a composite action or reusable workflow
 * passes on an input that its caller left out.
 */
export const defaults = {
  'authorization-scheme': 'token',
  'max-parallel': '5',
  'fail-fast': 'false',
  'poll-interval': '5s',
  timeout: '1h',
  'fail-on': 'error, container-error, stopped, timed-out, invalid-result',
  retries: '0',
  'retry-on': 'container-error',
  'upload-artifact': 'true',
  'print-result': 'true',
  'print-log': 'on-failure',
  summary: 'true',
  'on-rerun': 'resume',
  'if-exists': 'fail',
} as const

const whyMissing =
  'required, but empty or not given; give a value (if the value comes from a variable or an output, that variable or output may be missing; a pull request from a fork gets no variables)'

/** An input has no value. Its problem is noted. */
class NoValue extends Error {}

/**
 * Reads one input with each call. An empty or blank text counts as not given. If a call finds a
 * problem, it notes the problem and throws {@link NoValue}. {@link Inputs.all} continues with the next
 * input, so that all problems are noted.
 */
export class Inputs {
  /** The folder of all bundles. */
  readonly bundles: string
  readonly #environment: Environment
  readonly #problems: string[] = []

  constructor(environment: Environment, bundles: string) {
    this.#environment = environment
    this.bundles = bundles
  }

  /**
   * Reads several inputs in the given order. Reads all of them, even if some have no value.
   * @throws NoValue if an input has no value
   */
  async all<Values extends object>(readings: {
    [Name in keyof Values]: () => Values[Name] | Promise<Values[Name]>
  }): Promise<Values> {
    const values: Partial<Values> = {}
    let missing: NoValue | undefined
    for (const name of Object.keys(readings) as (keyof Values)[]) {
      try {
        values[name] = await readings[name]()
      } catch (error) {
        if (!(error instanceof NoValue)) throw error
        missing = error
      }
    }
    if (missing) throw missing
    return values as Values
  }

  /** Returns the text of an input unchanged, or undefined if the input is not given. */
  text(name: string): string | undefined {
    const text = inputText(this.#environment, name)
    return text.trim() === '' ? undefined : text
  }

  /** Reads a required input. `missing` describes the problem if the input is not given. */
  async required<Value>(name: string, read: Reading<Value>, missing = whyMissing): Promise<Value> {
    const text = this.text(name)
    return text === undefined
      ? this.#note(name, new InputProblem(missing))
      : await this.#read(name, text.trim(), read)
  }

  /** Reads an input that has a default. */
  async setting<Value>(name: keyof typeof defaults, read: Reading<Value>): Promise<Value> {
    return await this.#read(name, (this.text(name) ?? defaults[name]).trim(), read)
  }

  async optional<Value>(name: string, read: Reading<Value>): Promise<Value | undefined> {
    const text = this.text(name)
    return text === undefined ? undefined : await this.#read(name, text.trim(), read)
  }

  /** Reads an optional text that may have several lines. Keeps the white space around it. */
  async long<Value>(name: string, read: LongReading<Value>): Promise<Value | undefined> {
    const text = this.text(name)
    if (text === undefined) return undefined
    // Some editors write a byte order mark before a text.
    return await this.#read(name, text.replace(/^\uFEFF/, ''), read)
  }

  /**
   * Reads the file that an optional input names, with at most `maxSize` bytes. A relative path starts
   * from the workspace. The file may be outside of the workspace.
   */
  async file<Value>(
    name: string,
    maxSize: number,
    read: LongReading<Value>,
  ): Promise<Value | undefined> {
    const file = await this.optional(name, line)
    if (file === undefined) return undefined
    const found = path.resolve(workspaceOf(this.#environment), file)
    const text = await this.#read(name, file, () => readTextFile(found, file, maxSize))
    return await this.#read(name, text, read, `in ${quote(file)}: `)
  }

  /** Notes a problem if both inputs are given. */
  notBoth(first: string, second: string, why: string): void {
    if (this.text(first) === undefined || this.text(second) === undefined) return
    this.problem(second, `given together with ${first}, and ${why}; remove ${first} or ${second}`)
  }

  problem(name: string, problem: string): void {
    this.#problems.push(`${name}: ${problem}`)
  }

  /** Returns the error with the problems of all inputs, in the order of the calls, if there are any. */
  error(): ActionError | undefined {
    if (this.#problems.length === 0) return undefined
    return new ActionError(this.#problems.join('\n'), {
      ...headingOf('input-wrong', { of: this.#ofAutomation() }),
      hint: 'Fix the inputs of this step; nothing was sent to the service.',
    })
  }

  /** Names the automation of the step. Several steps of a job may have invalid inputs. */
  #ofAutomation(): string {
    const automation = this.text('automation')?.trim()
    const isInvalid = this.#problems.some((problem) => problem.startsWith('automation: '))
    return automation === undefined || isInvalid ? '' : ` of ${automation}`
  }

  /** `place` begins the description of each problem. */
  async #read<Value>(
    name: string,
    text: string,
    read: LongReading<Value>,
    place = '',
  ): Promise<Value> {
    try {
      return await read(text)
    } catch (error) {
      return this.#note(name, error, place)
    }
  }

  #note(name: string, error: unknown, place = ''): never {
    if (!(error instanceof InputProblem)) throw error
    const { problems } = error
    for (const problem of problems.slice(0, maxInputProblems)) this.problem(name, place + problem)
    if (problems.length > maxInputProblems) this.problem(name, 'there are more problems')
    throw new NoValue()
  }
}

type LongReading<Value> = Reading<Value | Promise<Value>>

/** Reads all inputs of an action. @throws ActionError with the problems of all inputs. */
export async function readInputs<Values>(
  read: (given: Inputs) => Promise<Values>,
  environment: Environment,
  bundles: string,
): Promise<Values> {
  const given = new Inputs(environment, bundles)
  const values = await read(given).catch((error: unknown) => {
    throw given.error() ?? error
  })
  const error = given.error()
  if (error) throw error
  return values
}
