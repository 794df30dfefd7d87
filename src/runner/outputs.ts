/** What a step hands to the runner: its outputs, and its part of the job summary. */
import { appendFileSync, closeSync, constants, openSync, statSync, truncateSync } from 'node:fs'
import { setOutput } from '@actions/core'
import { describeFileProblem } from '../messages/file-problem.ts'
import type { Secrets } from '../messages/text/secrets.ts'

const publishedOutputs = [
  'execution-id',
  'execution-url',
  'conclusion',
  'cause',
  'status',
  'result',
  'log',
  'result-file',
  'log-file',
  'artifact-name',
  'artifact-id',
  'artifact-url',
  'artifact-digest',
  'duration-seconds',
  'summary-file',
] as const

const batchOutputs = [
  'conclusion',
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
  'artifact-name',
  'artifact-id',
  'artifact-url',
  'artifact-digest',
  'summary-file',
  'resumed',
  'duration-seconds',
] as const

/** The outputs of each action, as its `action.yml` declares them. */
export const outputNames = {
  run: [...publishedOutputs, 'resumed'],
  start: ['execution-id', 'execution-url', 'message', 'resumed'],
  wait: [...publishedOutputs, 'finished'],
  batch: batchOutputs,
  'create-project': ['created', 'message'],
} as const

export type OutputName = (typeof outputNames)[keyof typeof outputNames][number]

/** Why outputs could not be handed on. */
export interface OutputProblem {
  /** The first of them. */
  name: OutputName
  why: string
  /** What a later step needs to find the run, where it was known. */
  executionId: string | undefined
}

// These are texts for people, which may repeat a secret in any disguise. Others are data: a
// changed address, path or result is worth nothing.
const forPeople: readonly OutputName[] = ['log', 'message', 'cause']

/**
 * Hands values to the workflow, each the moment it is known. Never throws: a run under way is
 * followed to its end even where the runner's file for outputs cannot be written.
 */
export class Outputs {
  readonly #secrets: Pick<Secrets, 'show'>
  readonly #hand: (name: string, value: string) => void
  readonly #onProblem: (problem: OutputProblem) => void
  /** Every execution that this step knows of. Named if the step has to end without a report. */
  readonly executionIds = new Set<string>()
  readonly #names = new Set<string>()
  #executionId: string | undefined
  #problem: OutputProblem | undefined

  /** `hand` gives a value to the runner; `onProblem` hears of the first that could not be given. */
  constructor(
    secrets: Pick<Secrets, 'show'>,
    hand: (name: string, value: string) => void,
    onProblem: (problem: OutputProblem) => void = () => undefined,
  ) {
    this.#secrets = secrets
    this.#hand = hand
    this.#onProblem = onProblem
  }

  /** The first output that could not be handed on: the step must fail then. */
  get problem(): OutputProblem | undefined {
    return this.#problem && { ...this.#problem, executionId: this.#executionId }
  }

  /** Data goes on verbatim, whatever is masked; of the texts for people, what they may see. */
  set(name: OutputName, value: string): void {
    this.#names.add(name)
    if (name === 'execution-id') {
      this.#executionId = value || undefined
      if (value) this.executionIds.add(value)
    }
    try {
      this.#hand(name, forPeople.includes(name) ? this.#secrets.show(value) : value)
    } catch (error) {
      if (this.#problem) return
      const why = `the runner's file for outputs (GITHUB_OUTPUT) cannot be written: ${describeFileProblem(error)}`
      this.#problem = { name, why, executionId: this.#executionId }
      this.#onProblem(this.#problem)
    }
  }

  /** Sets those that have not been set. */
  complete(values: Partial<Record<OutputName, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      if (!this.#names.has(name)) this.set(name as OutputName, value)
    }
  }
}

export function writeOutput(name: string, value: string): void {
  addWhole(process.env['GITHUB_OUTPUT'] ?? '', () => setOutput(name, value))
}

/**
 * Adds to a file of the runner, unless it is a pipe that nobody reads, which would hold the step for
 * ever. Where the disk becomes full meanwhile nothing is added: of a file with a part of an output the
 * runner takes no other one either, and a part of a table garbles what the page shows after it.
 */
function addWhole(file: string, add: () => void): void {
  const before = statSync(file)
  // Throws where no reader is there.
  if (before.isFIFO()) closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK))
  try {
    add()
  } catch (error) {
    if (before.isFile()) truncateSync(file, before.size)
    throw error
  }
}

/**
 * Adds to the step's summary file (`GITHUB_STEP_SUMMARY`). Never throws: a summary changes no
 * verdict. Returns the problem, or undefined when it was written.
 */
export function writeSummary(markdown: string, file: string | undefined): string | undefined {
  if (!file) return 'this runner offers no job summary (GITHUB_STEP_SUMMARY is not set)'
  try {
    addWhole(file, () => appendFileSync(file, markdown))
    return undefined
  } catch (error) {
    return `the runner's file for it (GITHUB_STEP_SUMMARY) cannot be written: ${describeFileProblem(error)}`
  }
}
