/** The executions of one simulated service: which were started, when, and what becomes of each. */
import { changedPlan, outcomeOf, planOf, stateAt, type ExecutionPlan } from './execution-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

interface StartedExecution {
  startedAt: number
  plan: ExecutionPlan
}

export class SimulatedExecutions {
  readonly #plan: ExecutionPlan
  readonly #random: SeededRandom
  readonly #started = new Map<string, StartedExecution>()
  /** Of the execution that was started last, or is to be the first. */
  lastId: string
  /** Undefined while there is none; a scenario may begin with one that runs. */
  lastStartedAt: number | undefined

  constructor(plan: ExecutionPlan, random: SeededRandom) {
    this.#plan = plan
    this.#random = random
    this.lastId = drawExecutionId(random)
  }

  /** What becomes of the execution that was started last. */
  get lastPlan(): ExecutionPlan {
    return planOf(this.#plan, Math.max(1, this.#started.size))
  }

  /** Undefined for one that was never started here. */
  find(id: string): StartedExecution | undefined {
    return this.#started.get(id)
  }

  all(): (StartedExecution & { id: string })[] {
    return Array.from(this.#started, ([id, started]) => ({ id, ...started }))
  }

  knows(id: string): boolean {
    return id === this.lastId || this.#started.has(id)
  }

  /** What the status route knows; an unknown id is answered as the last one is. */
  seenAs(id: string): StartedExecution {
    const last = { startedAt: this.lastStartedAt ?? Infinity, plan: this.lastPlan }
    return this.find(id) ?? last
  }

  /** Of some that have succeeded by now the service says another thing from now on. */
  change(now: number, random: SeededRandom): void {
    for (const [id, { startedAt, plan }] of this.#started) {
      const state = stateAt(plan, now - startedAt)
      const hasSucceeded = state.finished && outcomeOf(state) === 'success'
      if (!hasSucceeded || !random.chance(0.2)) continue
      this.#started.set(id, { startedAt, plan: changedPlan(plan, now - startedAt, random) })
    }
  }

  /** Of each execution but the first, the id is drawn when it begins. */
  begin(now: number): string {
    if (this.lastStartedAt !== undefined) this.lastId = drawExecutionId(this.#random)
    this.lastStartedAt = now
    const plan = planOf(this.#plan, this.#started.size + 1)
    this.#started.set(this.lastId, { startedAt: now, plan })
    return this.lastId
  }
}

function drawExecutionId(random: SeededRandom): string {
  const uuid = `${random.digits(8)}-${random.digits(4)}-4${random.digits(3)}-a${random.digits(3)}-${random.digits(12)}`
  return random.chance(0.85)
    ? uuid
    : `${random.pick(['run 7?x=1#f', '../../7', 'läuf/%2e%2e', '::error::7'])}${random.digits(8)}`
}
