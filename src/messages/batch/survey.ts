/** What annotation and summary tell of the runs, taken from one pass over their records. */
import type { RunRecord } from '../../execution/batch/record.ts'
import { stopWords } from '../../execution/batch/stop.ts'
import type { Category } from '../../execution/conclusion.ts'
import type { Show } from '../text/secrets.ts'
import { everyCategory } from './progress.ts'
import { showRun, type ShownRun } from './shown-run.ts'
import { TimeBars, type TimeBar } from './time-bars.ts'

/** Bounded, whatever the number of runs. */
export interface BatchSurvey {
  /** How many of each category fail the step. */
  failing: Readonly<Record<Category, number>>
  /** The first runs that fail the step, in the order of the seeds. */
  causes: readonly ShownRun[]
  /** The runs for the table: the worst first, then in the order of the seeds. */
  rows: readonly ShownRun[]
  /** The first that succeeded and left a result. */
  results: readonly ShownRun[]
  /** When the runs ran: one bar a run, or one for several. */
  bars: readonly TimeBar[]
}

export const mostCauses = 5
export const mostRows = 50
export const mostResults = 10

const worstFirst: readonly Category[] = [
  'failed',
  'unknown',
  'unfinished',
  'notStarted',
  'succeeded',
]

/** `total`: how many records there are; `duration`: milliseconds that the batch took. */
export function surveyBatch(
  records: readonly RunRecord[],
  { total, duration }: { total: number; duration: number },
  show: Show,
): BatchSurvey {
  const found = new Found(new TimeBars(total, duration))
  for (const record of records) found.add(showRun(record, show))
  return found.survey()
}

class Found {
  readonly #bars: TimeBars
  readonly #failing = perCategory(() => 0)
  readonly #rows = perCategory((): ShownRun[] => [])
  readonly #causes: ShownRun[] = []
  readonly #results: ShownRun[] = []

  constructor(bars: TimeBars) {
    this.#bars = bars
  }

  add(run: ShownRun): void {
    this.#bars.add(run)
    addWithin(this.#rows[run.category], run, mostRows)
    if (run.failsStep) {
      this.#failing[run.category] += 1
      if (hasOwnCause(run)) addWithin(this.#causes, run, mostCauses)
    }
    if (run.category === 'succeeded' && run.resultFile !== undefined) {
      addWithin(this.#results, run, mostResults)
    }
  }

  survey(): BatchSurvey {
    return {
      failing: this.#failing,
      causes: this.#causes,
      rows: worstFirst.flatMap((category) => this.#rows[category]).slice(0, mostRows),
      results: this.#results,
      bars: this.#bars.all(),
    }
  }
}

/** Why the others were not started is the same for all, and told once. */
function hasOwnCause({ category, cause }: ShownRun): boolean {
  const words: readonly string[] = Object.values(stopWords)
  return category !== 'notStarted' || (cause !== undefined && !words.includes(cause))
}

function perCategory<Value>(make: () => Value): Record<Category, Value> {
  const entries = everyCategory.map((category) => [category, make()])
  return Object.fromEntries(entries) as Record<Category, Value>
}

function addWithin<Value>(list: Value[], value: Value, limit: number): void {
  if (list.length < limit) list.push(value)
}
