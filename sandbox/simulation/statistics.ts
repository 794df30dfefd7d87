/** The counts of many scenarios. */
import type { StepReport } from './simulate.ts'
import { invariants, type Violation } from './invariants.ts'

export interface FirstViolation {
  seed: number
  violation: Violation
}

export class Statistics {
  runs = 0
  steps = 0
  readonly conclusions = new Map<string, number>()
  readonly faults = new Map<string, number>()
  readonly violations = new Map<string, number>(invariants.map((invariant) => [invariant, 0]))
  first: FirstViolation | undefined

  add(seed: number, reports: readonly StepReport[]): void {
    this.runs++
    for (const { action, conclusion, faults, violations } of reports) {
      this.steps++
      count(this.conclusions, `${action}: ${conclusion}`)
      for (const fault of faults) count(this.faults, fault)
      for (const violation of violations) {
        count(this.violations, violation.invariant)
        this.first ??= { seed, violation }
      }
    }
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

export function describeStatistics(statistics: Statistics): string {
  const { runs, steps, conclusions, faults, violations, first } = statistics
  const tables = [
    `${runs} runs, ${steps} steps`,
    table('Conclusions reached', sorted(conclusions)),
    table('Faults injected', sorted(faults)),
    table('Must be zero', [...violations]),
  ]
  if (first) {
    const { seed, violation } = first
    tables.push(
      `First violation, with seed ${seed}: ${violation.invariant} (${violation.why})\n` +
        `Repeat it with: npm run chaos -- --runs 1 --seed ${seed}`,
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
