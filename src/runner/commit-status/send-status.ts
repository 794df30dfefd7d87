/** One commit status on its way: bounded, sent again once where that may help. */
import { Deadline, TimeUp, type Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { parseRetryAfter, pauseBeforeRetry } from '../../service/backoff.ts'
import type { StatusAnswer } from './github-client.ts'

/** What came of it. */
export type StatusOutcome =
  | { kind: 'answered'; answer: StatusAnswer }
  /** `why`: in words that may be anybody's. */
  | { kind: 'unreached'; why: string }
  | { kind: 'late' }

/** Milliseconds. */
export const statusLimits = {
  /** Of a whole status, tries and pause. */
  inAll: 10_000,
  /** So that a request that hangs leaves time for another. */
  oneTry: 4_500,
  /** The runner leaves 7.5 s after a cancellation, in which the step must end too. */
  afterCancellation: 2_000,
  pause: 1_000,
}

export interface StatusCollaborators {
  clock: Clock
  random: () => number
  cancelled: AbortSignal
}

type Post = (signal: AbortSignal) => Promise<StatusAnswer>

/** Never rejects. */
export async function sendStatus(
  post: Post,
  { clock, random, cancelled }: StatusCollaborators,
): Promise<StatusOutcome> {
  using bound = new StatusBound(clock, cancelled)
  const first = await tryOnce(post, clock, bound.signal)
  const pause = pauseAfter(first, clock, random)
  if (pause === undefined || pause >= bound.remaining()) return first
  try {
    await clock.sleep(pause, bound.signal)
  } catch {
    return first
  }
  return await tryOnce(post, clock, bound.signal)
}

async function tryOnce(post: Post, clock: Clock, parent: AbortSignal): Promise<StatusOutcome> {
  using deadline = new Deadline(clock, statusLimits.oneTry, parent)
  const { signal } = deadline
  try {
    const answer = await Promise.race([post(signal), rejectOnAbort(signal)])
    return { kind: 'answered', answer }
  } catch (error) {
    return signal.aborted ? { kind: 'late' } : { kind: 'unreached', why: messageOf(error) }
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const give = () => reject(signal.reason as Error)
    if (signal.aborted) give()
    else signal.addEventListener('abort', give, { once: true })
  })
}

/** Undefined where another try would get the same answer. */
function pauseAfter(
  outcome: StatusOutcome,
  clock: Clock,
  random: () => number,
): number | undefined {
  if (outcome.kind !== 'answered') return pauseBeforeRetry(statusLimits.pause, 1, undefined, random)
  const { status, limited, retryAfter } = outcome.answer
  if (status < 500 && !limited) return undefined
  const asked = parseRetryAfter(retryAfter, clock.date().getTime())
  return pauseBeforeRetry(statusLimits.pause, 1, asked, random)
}

/** Ends with the time for all, or soon after the step is cancelled. */
class StatusBound implements Disposable {
  readonly signal: AbortSignal
  readonly #hurried = new AbortController()
  readonly #released = new AbortController()
  readonly #deadlines: Deadline[]

  constructor(clock: Clock, cancelled: AbortSignal) {
    const whole = new Deadline(clock, statusLimits.inAll, this.#hurried.signal)
    this.signal = whole.signal
    this.#deadlines = [whole]
    const hurry = () => this.#hurry(new Deadline(clock, statusLimits.afterCancellation))
    if (cancelled.aborted) hurry()
    else cancelled.addEventListener('abort', hurry, { once: true, signal: this.#released.signal })
  }

  /** Milliseconds. */
  remaining(): number {
    return Math.min(...this.#deadlines.map((deadline) => deadline.remaining()))
  }

  [Symbol.dispose](): void {
    this.#released.abort()
    for (const deadline of this.#deadlines) deadline[Symbol.dispose]()
  }

  #hurry(deadline: Deadline): void {
    this.#deadlines.push(deadline)
    const end = () => this.#hurried.abort(new TimeUp('time ran out'))
    deadline.signal.addEventListener('abort', end, { once: true })
  }
}
