/** What actions that start something share for jobs that run again. */
import type { StartInputs } from '../runner/inputs/read.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { Step } from '../runner/step.ts'
import { attemptOf } from '../runner/workflow-run.ts'
import type { AutomationService } from '../service/client.ts'
import type { Earlier } from './earlier-execution.ts'
import { Recorder } from './recorder.ts'

/** Keeps what the step starts. Costs nothing before the start. */
export function openRecorder(
  inputs: Pick<StartInputs, 'connection' | 'start' | 'again'>,
  storage: Storage,
  step: Step,
): Recorder {
  const { clock, environment } = step
  return new Recorder({
    attempt: attemptOf(environment),
    onRerun: inputs.again.onRerun,
    clock,
    openMemory: async () => {
      const { openStepMemory } = await import('../runner/memory/step-memory.ts')
      return openStepMemory(inputs, step, storage)
    },
    prepare: () => storage.prepare(),
  })
}

/**
 * What an earlier attempt started. The log's first line says what is known of it and what is done.
 * A first attempt asks nobody, and says nothing.
 */
export async function findEarlier(
  action: 'run' | 'start',
  { again: { onRerun } }: Pick<StartInputs, 'again'>,
  recorder: Recorder,
  service: AutomationService,
  step: Step,
): Promise<Earlier> {
  if (attemptOf(step.environment) === 1 || onRerun === 'start') return { course: 'start' }
  const { recallEarlier } = await import('./earlier-execution.ts')
  return recallEarlier({ action, onRerun, recorder, service }, step)
}
