import type { ExecutionStatus } from '../service/contract.ts'

/** How a run ended by its flags. */
export type Outcome = 'success' | 'error' | 'container-error' | 'stopped'

/** Every way the following of a run can end, as the output `conclusion` spells it. */
export type Conclusion = Outcome | 'timed-out' | 'cancelled' | 'unknown'

type Flags = Pick<ExecutionStatus, 'error' | 'stopped' | 'container_error'>

/**
 * The outcome that the flags tell. Which of them may come together is not known
 * (docs/service.md, "Execution status record"): a dead container explains an error and a stop, and
 * an error outweighs a stop.
 */
export function concludeFrom(flags: Flags): Outcome {
  if (flags.container_error) return 'container-error'
  if (flags.error) return 'error'
  if (flags.stopped) return 'stopped'
  return 'success'
}
