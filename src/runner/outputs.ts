/** Writes the step's outputs and its part of the job summary. */
import { appendFileSync } from 'node:fs'
import { cut, cutMiddle } from '../cut.ts'
import { describeFileProblem } from '../errors.ts'
import type { Secrets } from '../messages/text/secrets.ts'
import { flatten } from '../messages/text/untrusted-text.ts'

/** The outputs of all actions that wait for runs. */
const commonOutputs = [
  'conclusion',
  'cause',
  'artifact-name',
  'artifact-id',
  'artifact-url',
  'artifact-digest',
  'duration-seconds',
  'summary-file',
] as const

const runOutputs = [
  ...commonOutputs,
  'execution-id',
  'execution-url',
  'status',
  'result',
  'log',
  'result-file',
  'log-file',
] as const

const batchOutputs = [
  ...commonOutputs,
  'total',
  'succeeded',
  'failed',
  'unknown',
  'unfinished',
  'not-started',
  'results',
  'results-file',
  'folder',
  'failed-seeds-file',
  'junit-file',
  'resumed',
] as const

/** The outputs that each action declares in its `action.yml`. */
export const outputNames = {
  run: [...runOutputs, 'resumed'],
  start: ['execution-id', 'execution-url', 'message', 'resumed'],
  wait: [...runOutputs, 'finished'],
  batch: batchOutputs,
  'create-project': ['created', 'message'],
} as const

/** The name of an output of this action. */
export type OutputOf<Action extends keyof typeof outputNames> = (typeof outputNames)[Action][number]
/** The name of an output that both root and `wait` have. */
export type RunOutput = (typeof runOutputs)[number]
export type OutputName = OutputOf<keyof typeof outputNames>

/**
 * Values of the named outputs. The empty name is the name of no output: without it, TypeScript would
 * accept every name if `Name` is `never`.
 */
export type OutputValues<Name extends OutputName> = Readonly<
  Partial<Record<Name | '', string | undefined>>
>

/** The first output that could not be written. */
interface LostOutput {
  output: OutputName
  why: string
}

export interface OutputProblem extends LostOutput {
  /** The id that a later step needs to find the execution. Undefined if there is no id. */
  executionId: string | undefined
}

// The outputs that quote a text. All others are read by machines: a changed id, address, number or
// path would be useless. The JSON of `status` and `results` has redacted texts already.
const quoting: readonly OutputName[] = ['cause', 'message', 'log']

// The maximum lengths of outputs that quote a text, in UTF-16 units. The other outputs of the job
// need space too.
const maxCauseOutput = 2_000
export const maxMessage = 4_000

/**
 * Writes each output as soon as its value is known. Never throws, because the step follows its run
 * to the end even if the runner's output file cannot be written.
 */
export class Outputs<in Name extends OutputName> {
  readonly #secrets: Pick<Secrets, 'show'>
  readonly #write: (name: string, value: string) => void
  readonly #onProblem: (problem: LostOutput) => void
  /** The ids of all known executions. If the step is cut short, the annotation names the newest one. */
  readonly executionIds = new Set<string>()
  /** The newest value of each output that was set. Undefined for an empty value. */
  readonly #values = new Map<string, string | undefined>()
  #problem: LostOutput | undefined

  /** `write` writes an output. `onProblem` is called for the first output that is not written. */
  constructor(
    secrets: Pick<Secrets, 'show'>,
    write: (name: string, value: string) => void,
    onProblem: (problem: LostOutput) => void,
  ) {
    this.#secrets = secrets
    this.#write = write
    this.#onProblem = onProblem
  }

  /** The first output that could not be written, or undefined. Such a problem fails the step. */
  get problem(): OutputProblem | undefined {
    const executionId = this.#values.get('execution-id')
    return this.#problem && { ...this.#problem, executionId }
  }

  /** The URL of the run for the annotation of a failed step. Undefined if no URL is known. */
  get executionUrl(): string | undefined {
    return this.#values.get('execution-url')
  }

  /** Writes the outputs that have a value. Redacts secrets in the outputs that quote a text. */
  set(values: OutputValues<Name>): void {
    for (const [name, value] of Object.entries(values)) {
      if (value !== undefined) this.#set(name as OutputName, value)
    }
  }

  #set(name: OutputName, value: string): void {
    this.#values.set(name, value === '' ? undefined : value)
    if (name === 'execution-id' && value) this.executionIds.add(value)
    try {
      this.#write(name, this.#leaving(name, value))
    } catch (error) {
      if (this.#problem) return
      const why = `the runner's file for outputs (GITHUB_OUTPUT) cannot be written: ${describeFileProblem(error)}`
      this.#problem = { output: name, why }
      this.#onProblem(this.#problem)
    }
  }

  /** Returns an output as the step writes it. */
  #leaving(name: OutputName, value: string): string {
    if (!quoting.includes(name)) return value
    const shown = this.#secrets.show(value)
    if (name === 'cause') return cutMiddle(flatten(shown), maxCauseOutput)
    return name === 'message' ? cut(shown, maxMessage) : shown
  }

  /** Writes the outputs that were not written before. */
  complete(values: OutputValues<Name>): void {
    const missing = Object.entries(values).filter(([name]) => !this.#values.has(name))
    this.set(Object.fromEntries(missing) as OutputValues<Name>)
  }
}

/**
 * Appends to the step's summary file (`GITHUB_STEP_SUMMARY`). Returns the problem, or undefined if
 * the text was written. Never throws, because a missing summary does not fail the step.
 */
export function writeSummary(markdown: string, file: string | undefined): string | undefined {
  if (!file) return 'this runner offers no job summary (GITHUB_STEP_SUMMARY is not set)'
  try {
    appendFileSync(file, markdown)
    return undefined
  } catch (error) {
    return `the runner's file for it (GITHUB_STEP_SUMMARY) cannot be written: ${describeFileProblem(error)}`
  }
}
