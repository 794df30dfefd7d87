import { parseArgs } from 'node:util'

export interface SimulationOptions {
  runs: number
  /** How many batches, beside the runs. */
  batches?: number
  /** The first run's seed; each further run has the next one. */
  seed: number
}

export const help = `Runs many scenarios in simulated time, under random faults, and counts what must never happen.

  npm run chaos -- [options]

  --runs N    how many (default: 2000); a single one shows its log, too
  --batches N how many batches of up to 50 runs beside them (default: a fifth of --runs)
  --seed N    the first run's seed, a whole number (default: 1); the same seed gives the same runs
  --help      this text

The exit code is 1 when something happened that must not, 2 when the command line is wrong.`

/** Undefined stands for `--help`. @throws Error where the command line is wrong. */
export function readOptions(args: string[]): SimulationOptions | undefined {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '2000' },
      batches: { type: 'string' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const runs = wholeNumber('--runs', values.runs)
  const batches = values.batches ?? String(Math.ceil(runs / 5))
  return {
    runs,
    batches: wholeNumber('--batches', batches),
    seed: wholeNumber('--seed', values.seed),
  }
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const found = JSON.stringify(text)
  throw new Error(`${option}: expected a whole number from 0 to 999999999; found ${found}`)
}
