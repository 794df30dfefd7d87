/** Does what a step does about the events of a run: outputs, record, log, loading of code. */
import type { Begin } from '../execution/begin.ts'
import type { Emit, RunEvent } from '../execution/events.ts'
import { conclusionOf, executionIdOf, type End, type WatchEnd } from '../execution/report.ts'
import type { LinkOf } from '../messages/run-link.ts'
import type { Recorder } from '../runner/record/recorder.ts'
import type { Step } from '../runner/step.ts'
import type { Storage } from '../runner/storage/step-storage.ts'
import type { RunLog } from './run-log.ts'

interface Reactions {
  log: RunLog
  linkOf: LinkOf
  /** Not given if the step starts no run. */
  record?: (event: RunEvent) => void
  /** Not given if the step does not wait. */
  load?: (event: RunEvent) => void
}

/** The outputs come first, so that users find a run even if something fails after its start. */
export function onRunEvent({ log, linkOf, record, load }: Reactions, { outputs }: Step): Emit {
  return (event) => {
    if (event.kind === 'started') setExecution(event.executionId, linkOf, outputs)
    record?.(event)
    log.write(event)
    load?.(event)
  }
}

/** Sets the outputs that name the newest execution. */
export function setExecution(executionId: string, linkOf: LinkOf, outputs: Step['outputs']): void {
  outputs.set({ 'execution-id': executionId, 'execution-url': linkOf(executionId) })
}

/** Sets the outputs that are known before a run is followed. */
export function setBegin(begun: Begin, linkOf: LinkOf, outputs: Step['outputs']): void {
  outputs.set({ resumed: String(begun.kind === 'take-over') })
  if (begun.kind === 'take-over') setExecution(begun.executionId, linkOf, outputs)
}

/** Returns a function that loads code for the end of the step while the step waits. */
export function loadingAhead(
  { uploadArtifact }: { uploadArtifact: boolean },
  storage: Pick<Storage, 'prepare'>,
): (event: RunEvent) => void {
  return (event) => {
    // The large clients for artifact and cache.
    if (event.kind === 'watching' && uploadArtifact) storage.prepare()
    // The first check is not delayed by loading. An error of loading is ignored here, because it
    // occurs again at the use.
    if (event.kind === 'checked' && event.seen.status?.finished === false) {
      void Promise.allSettled([import('../download/collect.ts'), import('./publish-run.ts')])
    }
  }
}

/** Returns a function that records which execution a run started, and how the execution ended. */
export function recordingAs(name: string, recorder: Recorder): (event: RunEvent) => void {
  return (event) => {
    if (event.kind === 'started') recorder.started(name, event.executionId)
    // The end is recorded before the result is validated, because the validation may be cancelled.
    if (event.kind === 'ended') recordEnd(name, event.end, recorder)
  }
}

export function recordEnd(name: string, end: End | WatchEnd, recorder: Recorder): void {
  recorder.ended(name, { conclusion: conclusionOf(end), executionId: executionIdOf(end) })
}
