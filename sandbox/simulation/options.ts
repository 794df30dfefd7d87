import { parseArgs } from 'node:util'

export interface SimulationOptions {
  runs: number
  /** The number of batches, in addition to the runs. */
  batches?: number
  /** The seed of the first run and of the first batch. Each further seed is 1 higher. */
  seed: number
}

export const help = `Runs many scenarios in simulated time under random faults, and counts violations of invariants.

  npm run chaos -- [options]

  --runs N    number of runs (default: 2000); a single run also shows its log
  --batches N number of batches, each with up to 50 runs (default: a fifth of --runs)
  --seed N    seed of the first run, a whole number (default: 1); the same seed gives the same runs
  --help      shows this text

The exit code is 1 if an invariant was violated, and 2 if the command line is wrong.`

/** Returns undefined for `--help`. @throws Error if the command line is wrong. */
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
