// `npm run chaos`: many executions in simulated time, among faults; the counts that matter are zero.
import { cause } from '../sandbox/chaos/chaos.ts'
import { ownActions } from '../sandbox/chaos/own-actions.ts'
import { chaosHelp, ChaosUsageError, readChaosOptions } from '../sandbox/chaos/chaos-options.ts'
import type { Act } from '../sandbox/chaos/scenario.ts'
import { describeTally } from '../sandbox/chaos/tally.ts'

try {
  const options = readChaosOptions(process.argv.slice(2))
  if (options) {
    const also = options.also.length > 0 ? `, also ${options.also.join(', ')}` : ''
    console.log(`Chaos with seed ${options.seed}${also}`)
    const tally = await cause(options, ownActions, options.runs === 1 ? show : undefined)
    console.log(describeTally(tally))
    process.exitCode = tally.first ? 1 : 0
  } else console.log(chaosHelp)
} catch (error) {
  if (!(error instanceof ChaosUsageError)) throw error
  console.error(`${error.message}\nSee npm run chaos -- --help`)
  process.exitCode = 2
}

/** A single run is one that somebody wants to look at. */
function show({ action, conclusion, faults, told }: Act): void {
  console.log(`\n=== ${action}: ${conclusion}; faults: ${faults.join(', ') || 'none'}`)
  console.log(told.join('\n'))
}
