import { parseArgs } from 'node:util'
import { messageOf } from '../../src/errors.ts'
import { extraFaults, usualExtras, type ExtraFault } from './extra-faults.ts'

export interface ChaosOptions {
  runs: number
  /** The first run's seed; each further run has the next one. */
  seed: number
  /** Faults that are drawn besides the usual ones. */
  also: readonly ExtraFault[]
}

/** The command line is wrong: told without a stack trace, exit code 2. */
export class ChaosUsageError extends Error {
  override readonly name = 'ChaosUsageError'
}

export const chaosHelp = `Lives through many executions in simulated time, among random faults, and counts what must never happen.

  npm run chaos -- [options]

  --runs N    how many (default: 2000); a single one shows its log, too
  --seed N    where chance begins, a whole number (default: 1); the same seed gives the same runs
  --also NAME faults to draw besides the usual ones, by name with commas between, or "all":
              ${extraFaults.join(', ')}
  --help      this text

The exit code is 1 when something happened that must not, 2 when the command line is wrong.`

/** Reads the command line; undefined stands for `--help`. */
export function readChaosOptions(words: string[]): ChaosOptions | undefined {
  const { runs, seed, also, help } = parseWords(words)
  if (help) return undefined
  return {
    runs: wholeNumber('--runs', runs, 1),
    seed: wholeNumber('--seed', seed, 0),
    also: readExtras(also),
  }
}

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: {
        runs: { type: 'string', default: '2000' },
        seed: { type: 'string', default: '1' },
        also: { type: 'string', default: usualExtras.join() },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new ChaosUsageError(messageOf(error))
  }
}

function wholeNumber(option: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text)
  throw new ChaosUsageError(
    `${option}: expected a whole number from ${least} to 999999999; found ${JSON.stringify(text)}`,
  )
}

function readExtras(text: string): readonly ExtraFault[] {
  if (text === 'all') return extraFaults
  const names = text === '' ? [] : text.split(',')
  return names.map((name) => {
    const known = extraFaults.find((fault) => fault === name.trim())
    if (known !== undefined) return known
    const choice = [...extraFaults, 'all'].join(', ')
    throw new ChaosUsageError(`--also: expected ${choice}; found ${JSON.stringify(name)}`)
  })
}
