/** The executions of one simulated service. */
import { changedPlan, outcomeOf, planOf, stateAt, type ExecutionPlan } from './execution-plan.ts'
import type { SeededRandom } from './seeded-random.ts'

interface StartedExecution {
  id: string
  startedAt: number
  plan: ExecutionPlan
}

export class SimulatedExecutions {
  readonly #plan: ExecutionPlan
  readonly #random: SeededRandom
  /** All executions in the order of their starts. Some scenarios begin with one execution. */
  readonly all: StartedExecution[] = []

  constructor(plan: ExecutionPlan, random: SeededRandom) {
    this.#plan = plan
    this.#random = random
  }

  get last(): StartedExecution | undefined {
    return this.all.at(-1)
  }

  find(id: string): StartedExecution | undefined {
    return this.all.find((execution) => execution.id === id)
  }

  /** Changes what the service says about some successful executions. */
  change(now: number, random: SeededRandom): void {
    for (const execution of this.all) {
      const { startedAt, plan } = execution
      const state = stateAt(plan, now - startedAt)
      const hasSucceeded = state.finished && outcomeOf(state) === 'success'
      // What the service has forgotten stays unknown.
      if (!hasSucceeded || plan.change === 'now missing' || !random.chance(0.2)) continue
      execution.plan = changedPlan(plan, now - startedAt, random)
    }
  }

  /** Makes the newest execution unknown to the service. */
  forget(): void {
    if (this.last)
      this.last.plan = { ...this.last.plan, change: 'now missing', hiddenFor: Infinity }
  }

  begin(now: number): string {
    const id = drawExecutionId(this.#random)
    this.all.push({ id, startedAt: now, plan: planOf(this.#plan, this.all.length + 1) })
    return id
  }
}

function drawExecutionId(random: SeededRandom): string {
  const uuid = `${random.digits(8)}-${random.digits(4)}-4${random.digits(3)}-a${random.digits(3)}-${random.digits(12)}`
  return random.chance(0.85)
    ? uuid
    : `${random.pick(['run 7?x=1#f', '../../7', 'läuf/%2e%2e', '::error::7'])}${random.digits(8)}`
}
