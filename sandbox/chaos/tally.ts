/** The counts of many lives. */
import type { Act } from './scenario.ts'
import { zeros, type Offence } from './offence.ts'

export interface FirstOffence {
  seed: number
  offence: Offence
}

export class Tally {
  runs = 0
  steps = 0
  readonly conclusions = new Map<string, number>()
  readonly faults = new Map<string, number>()
  readonly offences = new Map<string, number>(zeros.map((zero) => [zero, 0]))
  first: FirstOffence | undefined
  readonly #also: readonly string[]

  /** `also`: faults besides the usual ones, without which no run can be replayed. */
  constructor(also: readonly string[]) {
    this.#also = also
  }

  /** The command that shows one run again. */
  replay(seed: number): string {
    const also = this.#also.length > 0 ? ` --also ${this.#also.join()}` : ''
    return `npm run chaos -- --runs 1 --seed ${seed}${also}`
  }

  add(seed: number, acts: readonly Act[]): void {
    this.runs++
    for (const { action, conclusion, faults, offences } of acts) {
      this.steps++
      count(this.conclusions, `${action}: ${conclusion}`)
      for (const fault of faults) count(this.faults, fault)
      for (const offence of offences) {
        count(this.offences, offence.zero)
        this.first ??= { seed, offence }
      }
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

export function describeTally(tally: Tally): string {
  const { runs, steps, conclusions, faults, offences, first } = tally
  const told = [
    `${runs} runs, ${steps} steps`,
    table('Conclusions reached', sorted(conclusions)),
    table('Faults injected', sorted(faults)),
    table('Must be zero', [...offences]),
  ]
  if (first) {
    const { seed, offence } = first
    told.push(
      `The first offence was in the run of seed ${seed}: ${offence.zero} (${offence.why})\n` +
        `Replay it with: ${tally.replay(seed)}`,
    )
  }
  return told.join('\n\n')
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}

function table(title: string, rows: readonly (readonly [string, number])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(
    ([name, number]) => `  ${name.padEnd(width)}  ${String(number).padStart(6)}`,
  )
  return [title, ...lines].join('\n')
}
