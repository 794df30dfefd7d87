/** A batch in a re-run job. Half of its runs succeed at once, the others wait for a gate. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { RunningStep, StepResult } from '../../../sandbox/runner/runner.ts'
import { makeAutomations } from './automations.ts'
import { annotationsOf } from './facts.ts'
import { until } from './until.ts'
import { openWorkflowRun, type AttemptScenario, type WorkflowRun } from './workflow-run.ts'

const automation = 'gated'
const body = `
  const { existsSync } = await import('node:fs')
  const { setTimeout: delay } = await import('node:timers/promises')
  while (seed.waits && !existsSync(import.meta.dirname + '/open')) await delay(20)
  console.log('number ' + seed.number)
  return { number: seed.number }`

export interface GatedBatch extends AsyncDisposable {
  run: WorkflowRun
  size: number
  /** How many runs succeed before the gate is open. */
  half: number
  parallel: number
  /** Returns the step. `more`: additional inputs. */
  scenario(more?: Record<string, string>): AttemptScenario
  /** Resolves when the first half has succeeded and waiting runs fill all slots. */
  reachHalf(step: RunningStep): Promise<void>
  openGate(): Promise<void>
}

export async function openGatedBatch(size: number, parallel = 4): Promise<GatedBatch> {
  await using cleanup = new AsyncDisposableStack()
  const { folder } = cleanup.use(await makeAutomations({ [automation]: body }))
  const run = cleanup.use(await openWorkflowRun({ automations: folder }))
  const half = Math.floor(size / 2)
  const seeds = JSON.stringify(
    Array.from({ length: size }, (_, number) => ({ number, waits: number >= half })),
  )
  const kept = cleanup.move()
  const inputs = { seeds, 'max-parallel': String(parallel) }
  return {
    run,
    size,
    half,
    parallel,
    scenario: (more) => ({ action: 'batch', automation, inputs: { ...inputs, ...more } }),
    reachHalf: async (step) => {
      for (let number = 1; number <= half + parallel; number += 1) {
        const end = number <= half ? 'succeeded' : 'execution'
        await step.waitForLine(new RegExp(`Run ${number}:? ${end}`))
      }
      await until(() => run.starts === half + parallel)
    },
    openGate: () => writeFile(path.join(folder, 'open'), ''),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

export function warningsOf(step: StepResult): string[] {
  return annotationsOf(step, 'warning').map(({ message }) => message)
}
