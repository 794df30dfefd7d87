import type { SimulationOptions } from './options.ts'
import { runScenario, simulateBatch, simulateStep } from './scenario.ts'
import type { StepReport } from './simulate.ts'
import { productActions } from './product-actions.ts'
import type { Actions } from './simulated-step.ts'
import { Statistics } from './statistics.ts'

/** Runs the scenarios. The first scenario has the seed `seed`. Each further seed is 1 higher. */
export async function runScenarios(
  { runs, batches = 0, seed }: SimulationOptions,
  actions: Partial<Actions> = {},
  onStep: (report: StepReport) => void = () => undefined,
): Promise<Statistics> {
  const statistics = new Statistics()
  for (const { kind, count, simulate } of [
    { kind: 'run', count: runs, simulate: simulateStep },
    { kind: 'batch', count: batches, simulate: simulateBatch },
  ] as const) {
    for (let next = seed; next < seed + count; next++) {
      const reports = await runScenario(next, { ...productActions, ...actions }, simulate)
      statistics.add({ kind, seed: next }, reports)
      reports.forEach(onStep)
    }
  }
  return statistics
}
