/** Lists all conclusions of a run, with the consequences of each conclusion. */
import type { ExecutionStatus } from '../service/contract.ts'

/** The category in which a batch counts a run. Each run has exactly one category. */
export type Category = 'succeeded' | 'failed' | 'unknown' | 'unfinished' | 'notStarted'

interface ConclusionFacts {
  category: Category
  /** The verb for sentences about a run with this conclusion, for example `failed`. */
  verb: string
  /** The emoji before the heading of the job summary. */
  emoji: string
  /** How the JUnit XML report shows the run. */
  junit: 'passed' | 'failure' | 'error' | 'skipped'
  /** The commit status. `none` sends nothing: no execution exists, or the step did not see its end. */
  commitState: 'success' | 'failure' | 'error' | 'none'
  /** Whether the conclusion fails the step. `by-fail-on` means that the input `fail-on` decides. */
  failing: 'never' | 'by-fail-on' | 'always'
  /** True if the service reported that the execution has ended. */
  isOutcome?: true
  /** True if the end of the log says why the run failed. */
  isExplainedByLog?: true
  /** True if the input `retry-on` may name this conclusion. */
  isRetriable?: true
}

/**
 * The keys are the values of the output `conclusion`. A new conclusion needs a row in this table. A
 * new flag of the service also needs a rule in `concludeFrom`. After such a change, the errors of
 * tsc and of the tests show all other places to change.
 */
export const conclusions = {
  success: {
    category: 'succeeded',
    verb: 'succeeded',
    emoji: '✅',
    junit: 'passed',
    commitState: 'success',
    failing: 'never',
    isOutcome: true,
  },
  error: {
    category: 'failed',
    verb: 'failed',
    emoji: '❌',
    junit: 'failure',
    commitState: 'failure',
    failing: 'by-fail-on',
    isOutcome: true,
    isExplainedByLog: true,
    isRetriable: true,
  },
  'container-error': {
    category: 'failed',
    verb: 'died',
    emoji: '❌',
    junit: 'error',
    commitState: 'failure',
    failing: 'by-fail-on',
    isOutcome: true,
    isExplainedByLog: true,
    isRetriable: true,
  },
  stopped: {
    category: 'failed',
    verb: 'was stopped',
    emoji: '🛑',
    junit: 'failure',
    commitState: 'failure',
    failing: 'by-fail-on',
    isOutcome: true,
  },
  'timed-out': {
    category: 'unfinished',
    verb: 'did not finish in time',
    emoji: '⏱️',
    junit: 'error',
    commitState: 'none',
    failing: 'by-fail-on',
  },
  /** The execution succeeded, but its result does not match the input `result-schema`. */
  'invalid-result': {
    category: 'failed',
    verb: 'returned an invalid result',
    emoji: '❌',
    junit: 'failure',
    commitState: 'failure',
    failing: 'by-fail-on',
    isOutcome: true,
    isRetriable: true,
  },
  cancelled: {
    category: 'unfinished',
    verb: 'is no longer followed',
    emoji: '🚫',
    junit: 'error',
    commitState: 'none',
    failing: 'always',
  },
  /** The service refused the start, and another try would not change the answer. */
  refused: {
    category: 'failed',
    verb: 'was refused',
    emoji: '❌',
    junit: 'error',
    commitState: 'none',
    failing: 'always',
  },
  /** No start was sent, no start reached the service, or the service accepted no start in time. */
  'not-started': {
    category: 'notStarted',
    verb: 'was not started',
    emoji: '❌',
    junit: 'skipped',
    commitState: 'none',
    failing: 'always',
  },
  /** The start may or may not have been accepted, or the run can no longer be followed. */
  unknown: {
    category: 'unknown',
    verb: 'has an unknown outcome',
    emoji: '❓',
    junit: 'error',
    commitState: 'error',
    failing: 'always',
  },
} as const satisfies Record<string, ConclusionFacts>

export type Conclusion = keyof typeof conclusions

type With<Facts> = {
  [Each in Conclusion]: (typeof conclusions)[Each] extends Facts ? Each : never
}[Conclusion]

/** The conclusion of an execution whose end the service has reported. */
export type Outcome = With<{ isOutcome: true }>
/** The outcomes that the service can show. It does not know the input `result-schema`. */
export type ServiceOutcome = Exclude<Outcome, 'invalid-result'>
export type FailOnConclusion = With<{ failing: 'by-fail-on' }>
export type RetriableOutcome = With<{ isRetriable: true }>

const all = Object.keys(conclusions) as Conclusion[]

export function factsOf(conclusion: Conclusion): ConclusionFacts {
  return conclusions[conclusion]
}

export const outcomes = all.filter((each): each is Outcome => factsOf(each).isOutcome === true)
export const failOnConclusions = all.filter(
  (each): each is FailOnConclusion => conclusions[each].failing === 'by-fail-on',
)
export const retriableOutcomes = all.filter(
  (each): each is RetriableOutcome => factsOf(each).isRetriable === true,
)

/** Returns true if the end of the log says why the run failed. */
export function isExplainedByLog(
  conclusion: Conclusion,
): conclusion is With<{ isExplainedByLog: true }> {
  return factsOf(conclusion).isExplainedByLog === true
}

/** Returns true if this conclusion fails the step. `failOn` is the input `fail-on`. */
export function failsStep(conclusion: Conclusion, failOn: ReadonlySet<FailOnConclusion>): boolean {
  const { failing } = conclusions[conclusion]
  if (failing !== 'by-fail-on') return failing === 'always'
  return new Set<Conclusion>(failOn).has(conclusion)
}

type Flags = Pick<ExecutionStatus, 'error' | 'stopped' | 'container_error'>

/**
 * Returns the outcome of a status record. It is not known which flags can be set together. If
 * several flags are set, `container_error` decides, then `error`, then `stopped`. Source:
 * docs/contributing/service.md, "Execution status record".
 */
export function concludeFrom(flags: Flags): ServiceOutcome {
  if (flags.container_error) return 'container-error'
  if (flags.error) return 'error'
  if (flags.stopped) return 'stopped'
  return 'success'
}
