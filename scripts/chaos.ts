// The program behind `npm run chaos`. sandbox/simulation/options.ts has its help text.
import { help, readOptions, type SimulationOptions } from '../sandbox/simulation/options.ts'
import { runScenarios } from '../sandbox/simulation/run-scenarios.ts'
import type { StepReport } from '../sandbox/simulation/simulate.ts'
import { describeStatistics } from '../sandbox/simulation/statistics.ts'
import { messageOf } from '../src/errors.ts'

const options = readCommandLine(process.argv.slice(2))
if (options) await simulate(options)

function readCommandLine(args: string[]): SimulationOptions | undefined {
  try {
    const wanted = readOptions(args)
    if (!wanted) console.log(help)
    return wanted
  } catch (error) {
    console.error(`${messageOf(error)}\nSee npm run chaos -- --help`)
    process.exitCode = 2
    return undefined
  }
}

async function simulate(wanted: SimulationOptions): Promise<void> {
  console.log(`Simulation with seed ${wanted.seed}`)
  const isOne = wanted.runs + (wanted.batches ?? 0) === 1
  const statistics = await runScenarios(wanted, {}, isOne ? show : undefined)
  console.log(describeStatistics(statistics))
  process.exitCode = statistics.first ? 1 : 0
}

/** Prints the log and the annotations of a step. */
function show({ action, conclusion, faults, shown }: StepReport): void {
  console.log(`\n=== ${action}: ${conclusion}; faults: ${faults.join(', ') || 'none'}`)
  console.log(shown.join('\n'))
}
