/** When each run of a batch ran and how it ended, as a Mermaid chart, which GitHub draws. */
import type { TimeBar } from '../batch/time-bars.ts'

const fewestBars = 2
const tenMinutes = 600_000
const day = 86_400_000

/**
 * The blocks: a chart and the words for it; none where there is nothing to compare. Mermaid takes
 * 50,000 characters, and at most 100 bars of some 60 stand in it. Names from outside do not.
 */
export function renderGantt(bars: readonly TimeBar[], startedOn: Date): string[] {
  if (bars.length < fewestBars) return []
  const start = startedOn.getTime()
  const isGrouped = bars.some(({ runs }) => runs > 1)
  const chart = [
    '```mermaid',
    'gantt',
    // Epoch milliseconds; the axis shows the time of day where the reader is.
    '    dateFormat x',
    `    axisFormat ${axisFormat(bars)}`,
    ...bars.map((bar) => line(bar, start)),
    '```',
  ]
  return [chart.join('\n'), `<p>${legend(isGrouped)}</p>`]
}

function line(bar: TimeBar, start: number): string {
  const from = Math.round(start + bar.from)
  // Mermaid draws nothing of no length.
  const span = Math.max(1, Math.round(bar.to - bar.from))
  return `    ${nameOf(bar)} :${tagOf(bar)}, ${from}, ${span}ms`
}

function nameOf({ first, last, runs, conclusion, ...counts }: TimeBar): string {
  if (runs === 1) return `${first} ${conclusion}`
  const told = (['failed', 'unknown', 'unfinished'] as const)
    .filter((category) => counts[category] > 0)
    .map((category) => `, ${counts[category]} ${category}`)
  return `${first} to ${last}${told.join('')}`
}

function tagOf({ failed, unknown, unfinished }: TimeBar): string {
  if (failed + unknown > 0) return 'crit'
  return unfinished > 0 ? 'active' : 'done'
}

function axisFormat(bars: readonly TimeBar[]): string {
  const from = bars.reduce((least, bar) => Math.min(least, bar.from), Infinity)
  const to = bars.reduce((most, bar) => Math.max(most, bar.to), 0)
  if (to - from >= day) return '%m-%d %H:%M'
  return to - from >= tenMinutes ? '%H:%M' : '%H:%M:%S'
}

function legend(isGrouped: boolean): string {
  const colours = 'grey: succeeded, red: failed or unknown, blue: unfinished'
  return isGrouped
    ? `When the runs ran, by number. Each bar stands for several, from the first start to the last end, in the colour of the worst (${colours}).`
    : `When the runs ran, by number (${colours}).`
}
