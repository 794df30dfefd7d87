/** Logs the progress of a batch. */
import { stopWords, type BatchEvent, type BatchSeed } from '../../execution/batch/batch-types.ts'
import type { Replaced } from '../../execution/begin.ts'
import type { RunEvent } from '../../execution/events.ts'
import type { Seen } from '../../execution/seen.ts'
import { describeBatchProgress, describeBatchStart } from '../../messages/batch/batch-progress.ts'
import { describeRun, nameSeed, shownRow } from '../../messages/batch/runs.ts'
import { noteText, type NoteName } from '../../messages/catalogue.ts'
import { describeEvent, describeFailedCheck, describeNotRetried } from '../../messages/progress.ts'
import type { BatchInputs } from '../../runner/inputs/action-inputs.ts'
import type { Step } from '../../runner/step.ts'
import { logLosses } from '../log-files.ts'

/** Logs the number of runs, and how many run at once. */
export function logList(
  { target, list, pool, waiting }: Pick<BatchInputs, 'target' | 'list' | 'pool' | 'waiting'>,
  { log }: Pick<Step, 'log'>,
): void {
  log.title('Start')
  log.info(
    list.length > 0
      ? describeBatchStart(target, list.length, pool.maxParallel, waiting.timeout)
      : 'The list of seeds is empty, so nothing was started.',
  )
}

export class BatchLog {
  readonly #step: Pick<Step, 'log' | 'heartbeat' | 'secrets'>
  readonly #warnings: Pick<Step['log'], 'note'>
  /** True if the newest check of the whole batch failed. */
  #isFailing = false

  constructor(step: Pick<Step, 'log' | 'heartbeat' | 'secrets'>) {
    this.#step = step
    this.#warnings = warnOnce(step.log)
  }

  write(event: BatchEvent): void {
    const { log, heartbeat } = this.#step
    switch (event.kind) {
      case 'opened':
        heartbeat.begin((waited) => describeBatchProgress(event.snapshot(), waited))
        break
      case 'replaced':
        this.#writeReplaced(event.seed, event.earlier)
        break
      case 'run':
        this.#writeRun(event.seed, event.event)
        break
      case 'shared-execution': {
        const [run, other] = [this.#name(event.seed), this.#name(event.other)]
        const id = event.executionId
        if (event.other === event.seed) this.#warnings.note('batch-same-execution', { run, id })
        else this.#warnings.note('batch-shared-execution', { run, other, id })
        break
      }
      case 'starts-stopped':
        log.info(`No more runs are started: ${stopWords[event.reason]}`)
        break
      case 'done':
        this.#writeDone(event)
    }
  }

  #writeLine(seed: BatchSeed, words: string): void {
    this.#step.log.info(`${this.#name(seed)}: ${words}`)
  }

  #name(seed: BatchSeed): string {
    return nameSeed(seed, this.#step.secrets.show)
  }

  #writeRun(seed: BatchSeed, event: RunEvent): void {
    if ('executionId' in event) this.#writeLine(seed, `execution ${event.executionId}`)
    if (event.kind === 'checked') this.#writeFailedCheck(seed, event.seen, event.pause)
    const words = describeEvent(event)
    if (words !== undefined) this.#writeLine(seed, words)
  }

  /**
   * Logs the first failed check of a run, unless the previous check of the batch failed too, of
   * whichever run. So an outage is one line, although it affects all runs.
   */
  #writeFailedCheck(seed: BatchSeed, { failure, failures }: Seen, pause: number | undefined): void {
    const { log } = this.#step
    const isFirst = failures === 1 && !this.#isFailing
    this.#isFailing = failure !== undefined
    if (!failure) return
    const line = `${this.#name(seed)}: ${describeFailedCheck(failure, pause)}`
    if (isFirst) log.info(line)
    else log.debug(line)
  }

  #writeReplaced(seed: BatchSeed, { executionId, outcome }: Replaced): void {
    if (outcome === undefined) {
      this.#warnings.note('batch-run-not-found', { run: this.#name(seed), id: executionId })
      return
    }
    const ended = `execution ${executionId} of an earlier attempt ended with ${outcome}`
    this.#writeLine(seed, `${ended}; a new run is needed`)
  }

  #writeDone({ seed, row, report }: Extract<BatchEvent, { kind: 'done' }>): void {
    const { log, secrets } = this.#step
    // A run that this step did not try to start gets no line.
    const isWorthALine = row.facts.conclusion !== 'not-started' || report !== undefined
    if (isWorthALine) log.info(describeRun(shownRow(row, secrets.show)))
    const notRetried = report && describeNotRetried(report)
    if (notRetried !== undefined) this.#writeLine(seed, notRetried)
    if (report?.end.kind === 'collected') {
      logLosses(report.end, this.#warnings, ` of ${this.#name(seed)}`)
    }
  }
}

/** Annotates only the first warning of each kind, because GitHub shows ten warnings per step. */
function warnOnce(log: Step['log']): Pick<Step['log'], 'note'> {
  const given = new Set<NoteName>()
  return {
    note: (name, values) => {
      if (given.has(name)) log.info(noteText(name, values))
      else log.note(name, values)
      given.add(name)
    },
  }
}
