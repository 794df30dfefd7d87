/** When the runs of a batch ran, as few enough bars to be drawn. */
import type { ShownRun } from './shown-run.ts'

/** One run, or several in the order of the seeds. Milliseconds since the step's start. */
export interface TimeBar {
  /** Numbers of the first and last run in it. */
  first: number
  last: number
  /** How many runs it stands for, those that never started left out. */
  runs: number
  from: number
  to: number
  /** How many of them are of each category that is no success. */
  failed: number
  unknown: number
  unfinished: number
  /** Of the first run. */
  conclusion: ShownRun['conclusion']
}

export const mostBars = 100

const counted = ['failed', 'unknown', 'unfinished'] as const

export class TimeBars {
  readonly #size: number
  readonly #duration: number
  readonly #bars: TimeBar[] = []
  #seen = 0
  #group = -1

  /** `total`: of the runs that will be added; `duration`: when those that are not over are drawn to. */
  constructor(total: number, duration: number) {
    this.#size = Math.max(1, Math.ceil(total / mostBars))
    this.#duration = duration
  }

  add(run: ShownRun): void {
    const group = Math.floor(this.#seen / this.#size)
    this.#seen += 1
    if (run.startedAt === undefined) return
    const from = Math.max(0, run.startedAt)
    const to = Math.max(from, run.endedAt ?? this.#duration)
    const last = this.#bars.at(-1)
    const bar = last && group === this.#group ? last : this.#open(run, group)
    bar.last = run.number
    bar.runs += 1
    bar.from = Math.min(bar.from, from)
    bar.to = Math.max(bar.to, to)
    const counter = counted.find((category) => category === run.category)
    if (counter) bar[counter] += 1
  }

  all(): readonly TimeBar[] {
    return this.#bars
  }

  #open({ number, conclusion }: ShownRun, group: number): TimeBar {
    const counts = { runs: 0, failed: 0, unknown: 0, unfinished: 0 }
    const bar = { first: number, last: number, from: Infinity, to: 0, conclusion, ...counts }
    this.#group = group
    this.#bars.push(bar)
    return bar
  }
}
