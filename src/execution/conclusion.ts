/** Every way in which a run, or the following of it, can end, and what follows from each. */
import type { ExecutionStatus } from '../service/contract.ts'

/** Where the counts of many runs have a run: in exactly one of them. */
export type Category = 'succeeded' | 'failed' | 'unknown' | 'unfinished' | 'notStarted'

interface ConclusionFacts {
  category: Category
  /** Comes after the name of the run. */
  verb: string
  /** Comes before the heading of a job summary. */
  sign: string
  /** What the test case of the run holds in JUnit XML. */
  junit: 'passed' | 'failure' | 'error' | 'skipped'
  commitState: 'success' | 'failure' | 'error' | 'pending'
  /** `by-fail-on`: where the input `fail-on` names it. */
  failsStep: 'never' | 'by-fail-on' | 'always'
  /** The execution was seen to end so. */
  isSeen?: true
  /** The end of the log is about it, so that the cause is looked for there. */
  isInLog?: true
  /** The input `retry-on` may name it. */
  isRetriable?: true
}

/**
 * In the spelling of the output `conclusion`. A new conclusion is one row here, one entry of the
 * catalogue of annotations, and its words in `messages/failure.ts`.
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
    // The run goes on, as far as is known.
    commitState: 'pending',
    failsStep: 'by-fail-on',
  },
  /** It ended well, and its result is not what `result-schema` asks for. */
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
  /** The service refused the start for good. */
  refused: {
    category: 'failed',
    verb: 'was refused by the service',
    sign: '❌',
    junit: 'error',
    commitState: 'error',
    failsStep: 'always',
  },
  /** No start was sent, or none reached the service, or none was taken in time. */
  'not-started': {
    category: 'notStarted',
    verb: 'was not started',
    sign: '❌',
    junit: 'skipped',
    commitState: 'error',
    failsStep: 'always',
  },
  /** It may or may not have started, or can no longer be followed. */
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

/** How an execution that was seen to end did so. */
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

/** Whether a run with this conclusion fails the step, for that alone. */
export function failsStep(conclusion: Conclusion, failOn: ReadonlySet<FailOnConclusion>): boolean {
  const { failsStep } = conclusions[conclusion]
  if (failsStep !== 'by-fail-on') return failsStep === 'always'
  return new Set<Conclusion>(failOn).has(conclusion)
}

type Flags = Pick<ExecutionStatus, 'error' | 'stopped' | 'container_error'>

/**
 * The outcome that the flags stand for. Which of them may come together is not known
 * (docs/service.md, "Execution status record"): a dead container explains an error and a stop, and
 * an error outweighs a stop.
 */
export function concludeFrom(flags: Flags): Outcome {
  if (flags.container_error) return 'container-error'
  if (flags.error) return 'error'
  if (flags.stopped) return 'stopped'
  return 'success'
}
