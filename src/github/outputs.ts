import { setOutput } from '@actions/core'
import type { Secrets } from './secrets.ts'

const publishedOutputs = [
  'execution-id',
  'conclusion',
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
] as const

/** The outputs of each action, as its `action.yml` declares them. */
export const outputNames = {
  run: publishedOutputs,
  start: ['execution-id', 'message'],
  wait: publishedOutputs,
  'create-project': ['created', 'message'],
} as const

export type OutputName = (typeof outputNames)[keyof typeof outputNames][number]

/** Hands values to the workflow, each the moment it is known. */
export class Outputs {
  readonly #secrets: Secrets
  readonly #hand: (name: string, value: string) => void

  /** `hand` gives a value to the runner. */
  constructor(secrets: Secrets, hand: (name: string, value: string) => void = setOutput) {
    this.#secrets = secrets
    this.#hand = hand
  }

  /** The runner drops an output that holds a masked value, so what is masked is left out first. */
  set(name: OutputName, value: string): void {
    this.#hand(name, this.#secrets.redact(value))
  }

  /** For a value that is worth nothing when altered: false, and empty, where it holds a secret. */
  setVerbatim(name: OutputName, value: string): boolean {
    const harmless = this.#secrets.redact(value) === value
    this.#hand(name, harmless ? value : '')
    return harmless
  }
}
