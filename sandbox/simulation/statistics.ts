/** Counts the results of many scenarios. */
import type { StepReport } from './simulate.ts'
import { invariants, type Violation } from './invariants.ts'

/** Identifies a scenario, so that the scenario can be repeated. */
interface Scenario {
  kind: 'run' | 'batch'
  seed: number
}

export interface FirstViolation extends Scenario {
  violation: Violation
}

export class Statistics {
  runs = 0
  batches = 0
  steps = 0
  readonly conclusions = new Map<string, number>()
  readonly faults = new Map<string, number>()
  readonly violations = new Map<string, number>(invariants.map((invariant) => [invariant, 0]))
  first: FirstViolation | undefined

  add({ kind, seed }: Scenario, reports: readonly StepReport[]): void {
    if (kind === 'run') this.runs++
    else this.batches++
    for (const { action, conclusion, faults, runs, violations } of reports) {
      this.steps++
      for (const run of runs) count(this.conclusions, `run of a batch: ${run}`)
      count(this.conclusions, `${action}: ${conclusion}`)
      for (const fault of faults) count(this.faults, fault)
      for (const violation of violations) {
        count(this.violations, violation.invariant)
        this.first ??= { kind, seed, violation }
      }
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

export function describeStatistics(statistics: Statistics): string {
  const { runs, batches, steps, conclusions, faults, violations, first } = statistics
  const tables = [
    `${runs} runs, ${batches} batches, ${steps} steps`,
    table('Conclusions reached', sorted(conclusions)),
    table('Faults injected', sorted(faults)),
    table('Must be zero', [...violations]),
  ]
  if (first) {
    const { kind, seed, violation } = first
    const options = kind === 'run' ? '--runs 1 --batches 0' : '--runs 0 --batches 1'
    tables.push(
      `First violation, with seed ${seed}: ${violation.invariant} (${violation.why})\n` +
        `Repeat it with: npm run chaos -- ${options} --seed ${seed}`,
    )
  }
  return tables.join('\n\n')
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
