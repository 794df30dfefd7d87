/** Handles the events of a step's runs: sets outputs, changes the record, loads code. */
import type { RunEvent } from '../execution/events.ts'
import { conclusionOf, executionIdOf } from '../execution/report.ts'
import type { ExecutionUrlOf } from '../messages/execution-url.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Outputs } from '../runner/outputs.ts'
import type { Storage } from '../runner/storage/step-storage.ts'

export type ExecutionOutput = 'execution-id' | 'execution-url'

/** Sets the outputs that name the newest execution. */
export function setExecution(
  executionId: string,
  executionUrlOf: ExecutionUrlOf,
  outputs: Outputs<ExecutionOutput>,
): void {
  outputs.set({ 'execution-id': executionId, 'execution-url': executionUrlOf(executionId) })
}

/** Records which execution a run started, and how the execution ended. */
export function recordEvent(event: RunEvent, name: string, recorder: Recorder): void {
  if (event.kind === 'started') recorder.started(name, event.executionId)
  // The end is recorded before the result is validated, because the validation may be cancelled. It
  // is recorded again after the validation, because the result may be invalid.
  if (event.kind === 'ended' || event.kind === 'collected') {
    const { end } = event
    recorder.ended(name, { conclusion: conclusionOf(end), executionId: executionIdOf(end) })
  }
}

/** Loads code for the end of the step while the step waits. */
export function loadCodeAhead(
  event: RunEvent,
  { uploadArtifact }: { uploadArtifact: boolean },
  storage: Pick<Storage, 'prepare'>,
): void {
  // The large clients for artifact and cache. A recorder that saves a record has loaded them already.
  if (event.kind === 'watching' && uploadArtifact) storage.prepare()
  // This code is loaded after the first check, so that it does not delay the check. An error of
  // loading is ignored here, because it occurs again at the use.
  if (event.kind === 'checked' && event.seen.status?.finished === false) {
    void Promise.allSettled([import('../download/collect.ts'), import('./publish-run.ts')])
  }
}
