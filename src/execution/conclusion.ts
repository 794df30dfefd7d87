/** All conclusions of a run, and what follows from each. */
import type { ExecutionStatus } from '../service/contract.ts'

/** The count to which a run belongs. Each run belongs to exactly one. */
export type Category = 'succeeded' | 'failed' | 'unknown' | 'unfinished' | 'notStarted'

interface ConclusionFacts {
  category: Category
  /** The verb of a sentence whose subject is the run. */
  verb: string
  /** Precedes the heading of a job summary. */
  sign: string
  /** The kind of the run's test case in JUnit XML. */
  junit: 'passed' | 'failure' | 'error' | 'skipped'
  commitState: 'success' | 'failure' | 'error' | 'pending'
  /** `by-fail-on`: fails the step if the input `fail-on` names it. */
  failsStep: 'never' | 'by-fail-on' | 'always'
  /** The service reported this end of the execution. */
  isSeen?: true
  /** The end of the log says why the run ended like this. */
  isInLog?: true
  /** The input `retry-on` may name it. */
  isRetriable?: true
}

/**
 * The keys are the values of the output `conclusion`. A new conclusion needs one row here, one
 * entry in the catalogue of annotations, and its words in `messages/failure.ts`.
 */
export const conclusions = {
  success: {
    category: 'succeeded',
    verb: 'succeeded',
    sign: '✅',
    junit: 'passed',
    commitState: 'success',
    failsStep: 'never',
    isSeen: true,
  },
  error: {
    category: 'failed',
    verb: 'failed',
    sign: '❌',
    junit: 'failure',
    commitState: 'failure',
    failsStep: 'by-fail-on',
    isSeen: true,
    isInLog: true,
    isRetriable: true,
  },
  'container-error': {
    category: 'failed',
    verb: 'died',
    sign: '❌',
    junit: 'error',
    commitState: 'failure',
    failsStep: 'by-fail-on',
    isSeen: true,
    isInLog: true,
    isRetriable: true,
  },
  stopped: {
    category: 'failed',
    verb: 'was stopped',
    sign: '🛑',
    junit: 'failure',
    commitState: 'failure',
    failsStep: 'by-fail-on',
    isSeen: true,
  },
  'timed-out': {
    category: 'unfinished',
    verb: 'did not finish in time',
    sign: '⏱️',
    junit: 'error',
    // As far as is known, the run is still running.
    commitState: 'pending',
    failsStep: 'by-fail-on',
  },
  /** The run ended well, but its result does not match `result-schema`. */
  'invalid-result': {
    category: 'failed',
    verb: 'returned an invalid result',
    sign: '❌',
    junit: 'failure',
    commitState: 'failure',
    failsStep: 'by-fail-on',
    isSeen: true,
    isRetriable: true,
  },
  cancelled: {
    category: 'unfinished',
    verb: 'is no longer followed',
    sign: '🚫',
    junit: 'error',
    commitState: 'pending',
    failsStep: 'always',
  },
  /** The service refused the start with a final answer. */
  refused: {
    category: 'failed',
    verb: 'was refused by the service',
    sign: '❌',
    junit: 'error',
    commitState: 'error',
    failsStep: 'always',
  },
  /** No start was sent, no start reached the service, or the service accepted none in time. */
  'not-started': {
    category: 'notStarted',
    verb: 'was not started',
    sign: '❌',
    junit: 'skipped',
    commitState: 'error',
    failsStep: 'always',
  },
  /** The run may or may not have started, or can no longer be followed. */
  unknown: {
    category: 'unknown',
    verb: 'has an unknown outcome',
    sign: '❓',
    junit: 'error',
    commitState: 'error',
    failsStep: 'always',
  },
} as const satisfies Record<string, ConclusionFacts>

export type Conclusion = keyof typeof conclusions

type With<Facts> = {
  [Each in Conclusion]: (typeof conclusions)[Each] extends Facts ? Each : never
}[Conclusion]

/** The conclusion of an execution whose end was seen. */
export type Outcome = With<{ isSeen: true }>
export type FailOnConclusion = With<{ failsStep: 'by-fail-on' }>
export type RetriableOutcome = With<{ isSeen: true; isRetriable: true }>

const all = Object.keys(conclusions) as Conclusion[]

export function factsOf(conclusion: Conclusion): ConclusionFacts {
  return conclusions[conclusion]
}

export const outcomes = all.filter((each): each is Outcome => factsOf(each).isSeen === true)
export const failOnConclusions = all.filter(
  (each): each is FailOnConclusion => conclusions[each].failsStep === 'by-fail-on',
)
export const retriableOutcomes = all.filter(
  (each): each is RetriableOutcome => factsOf(each).isRetriable === true,
)

/** Returns true if this conclusion alone fails the step. */
export function failsStep(conclusion: Conclusion, failOn: ReadonlySet<FailOnConclusion>): boolean {
  const { failsStep } = conclusions[conclusion]
  if (failsStep !== 'by-fail-on') return failsStep === 'always'
  return new Set<Conclusion>(failOn).has(conclusion)
}

type Flags = Pick<ExecutionStatus, 'error' | 'stopped' | 'container_error'>

/**
 * Returns the outcome of a status record. Which flags may come together is not known
 * (docs/contributing/service.md, "Execution status record"): a dead container explains an error and a stop, and
 * an error outweighs a stop.
 */
export function concludeFrom(flags: Flags): Outcome {
  if (flags.container_error) return 'container-error'
  if (flags.error) return 'error'
  if (flags.stopped) return 'stopped'
  return 'success'
}
