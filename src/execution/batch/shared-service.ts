/**
 * The service as the runs of a batch share it: one budget of checks, one hold for `Retry-After`,
 * and one place that sends no start any more once the batch has stopped.
 */
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import type { ExecutionService } from '../../service/client.ts'
import type { ExecutionStatus, StartAnswer } from '../../service/contract.ts'
import { HttpError, NotSentError } from '../../service/errors.ts'
import type { StartRequest } from '../../service/requests.ts'
import { CheckBudget } from './check-budget.ts'
import { Hold } from './hold.ts'
import { refusesCredentials } from './outcome.ts'
import type { BatchSeed } from './seed-list.ts'
import { Semaphore } from './semaphore.ts'
import type { Stop } from './stop.ts'

export interface Sharing {
  clock: Clock
  checksPerSecond: number
  /** When no more are started; by the step's deadline at the latest. */
  stop: Stop
}

// Milliseconds. A service that limits starts would refuse all that waited, if they came together.
const carefulFor = 60_000

export class SharedService {
  readonly budget: CheckBudget
  readonly #service: ExecutionService
  readonly #stop: Stop
  readonly #clock: Clock
  readonly #hold: Hold
  readonly #single = new Semaphore(1)

  constructor(service: ExecutionService, { clock, checksPerSecond, stop }: Sharing) {
    this.#service = service
    this.#stop = stop
    this.#clock = clock
    this.#hold = new Hold(clock)
    this.budget = new CheckBudget(clock, this.#hold, checksPerSecond)
  }

  /** For one run. */
  forSeed(seed: BatchSeed): ExecutionService {
    return {
      startAutomation: async (request, signal) => {
        // While the service limits starts they go one by one: one alone is refused at a time.
        const isCareful = this.#hold.endedWithin(carefulFor)
        const turn = isCareful ? await this.#single.acquire(this.#stop.signal).catch(notSent) : null
        return this.#start(request, seed, signal).finally(() => turn?.[Symbol.dispose]())
      },
      executionStatus: (executionId, signal) => this.executionStatus(executionId, signal),
    }
  }

  async executionStatus(executionId: string, signal: AbortSignal): Promise<ExecutionStatus> {
    await this.budget.turn(signal).catch(notSent)
    return this.#heed(this.#service.executionStatus(executionId, signal))
  }

  async #start(request: StartRequest, seed: BatchSeed, signal: AbortSignal): Promise<StartAnswer> {
    for (let rest = this.#hold.remaining(); rest > 0; rest = this.#hold.remaining()) {
      await this.#clock.sleep(rest, this.#stop.signal).catch(notSent)
    }
    if (this.#stop.signal.aborted) notSent(this.#stop.signal.reason)
    try {
      return await this.#heed(
        this.#service.startAutomation({ ...request, seed: seed.text }, signal),
      )
    } catch (error) {
      // The rest would be refused too.
      if (refusesCredentials(error)) this.#stop.now('credentials', { seed, failure: error })
      throw error
    }
  }

  /** Where the service asks to wait, all wait. */
  async #heed<Value>(call: Promise<Value>): Promise<Value> {
    try {
      return await call
    } catch (error) {
      const { status, retryAfter } = error instanceof HttpError ? error : {}
      if (retryAfter !== undefined && (status === 429 || status === 503)) {
        this.#hold.extend(retryAfter)
      }
      throw error
    }
  }
}

function notSent(cause: unknown): never {
  throw new NotSentError(messageOf(cause), { cause })
}
