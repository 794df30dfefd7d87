/**
 * `npm run bench`: what the action costs. Start-up as a ratio to an empty Node program, the time
 * from a run's end to the step's end, the bundles' bytes, how the work on hostile texts grows with
 * their length, and with `--large MEGABYTES` the memory and the time that a large result takes.
 * `--texts`: the texts alone. `--batch`: many runs from one step, alone. Figures, never a verdict:
 * machines are noisy.
 */
import { parseArgs } from 'node:util'
import { measureBatchCost } from './bench/batch-cost.ts'
import { measureBatchTime } from './bench/batch-time.ts'
import { bundleSizes } from './bench/bundles.ts'
import { measureMemory } from './bench/memory.ts'
import { measureStore, type Stored } from './bench/store.ts'
import { measureStartUp } from './bench/start-up.ts'
import { measureTexts, textSizes } from './bench/texts.ts'
import { measureTail } from './bench/tail.ts'
import { median } from './bench/median.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    large: { type: 'string' },
    texts: { type: 'boolean', default: false },
    batch: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)

if (values.batch) await reportBatch()
if (!values.texts && !values.batch) await reportProgram()
if (!values.batch) reportTexts()
if (values.large !== undefined) await reportLarge(Number(values.large))

async function reportProgram(): Promise<void> {
  const startUp = await measureStartUp(runs)
  console.log('Start-up to the first request (median of pairs)')
  console.log(`  empty Node program   ${milliseconds(startUp.map(({ empty }) => empty))}`)
  console.log(`  bare request         ${milliseconds(startUp.map(({ bare }) => bare))}`)
  console.log(`  action               ${milliseconds(startUp.map(({ action }) => action))}`)
  const toEmpty = median(startUp.map(({ action, empty }) => action / empty))
  const toBare = median(startUp.map(({ action, bare }) => action / bare))
  console.log(`  ratio to empty       ${toEmpty.toFixed(2)} (target: at most 2.5)`)
  console.log(`  ratio to bare        ${toBare.toFixed(2)}`)

  const tail = await measureTail(Math.ceil(runs / 3))
  console.log("\nFrom the run's end to the step's end, poll-interval 1 s (median)")
  console.log(`  until it is noticed  ${milliseconds(tail.map(({ noticed }) => noticed))}`)
  console.log(
    `  fetch, publish, end  ${milliseconds(tail.map(({ published }) => published))} (target: at most 60)`,
  )

  console.log(`  the client alone     ${milliseconds(tail.map(({ client }) => client))}`)

  console.log('\nBundles (target: main bundle under 1.5 MB)')
  for (const { name, bytes } of await bundleSizes()) {
    console.log(`  ${name.padEnd(20)} ${(bytes / 1000).toFixed(0)} kB`)
  }
}

/** The costs come first: the other measurement would leave its traces in the memory. */
async function reportBatch(): Promise<void> {
  const { cpuPerRun, memory, kept, taken } = await measureBatchCost(10_000, 50)
  const [before = NaN, ...tenths] = memory.map((bytes) => bytes / 1e6)
  console.log('10,000 runs of 0 s over loopback, no budget of checks')
  console.log(`  processor            ${cpuPerRun.toFixed(1)} ms a run (target: at most 10 ms)`)
  console.log(`  memory               ${before.toFixed(0)} MB before, then after each tenth`)
  console.log(`                       ${tenths.map((size) => size.toFixed(0)).join(' ')}`)
  const growth = Math.max(...tenths) - (tenths[0] ?? NaN)
  console.log(
    `  growth               ${growth.toFixed(0)} MB after the first tenth (below 200 MB, flat)`,
  )
  const [heapBefore, heapAfter] = [kept.before / 1e6, kept.after / 1e6]
  console.log(
    `  kept in the heap     ${heapAfter.toFixed(0)} MB, ${heapBefore.toFixed(0)} MB before`,
  )
  console.log(`  time                 ${(taken / 1_000).toFixed(0)} s`)

  console.log('\n1,000 runs, 50 at once, in simulated time (target for 60 s: at most 1.2 times)')
  for (const seconds of [60, 10, 600]) {
    const { ideal, taken, checks } = await measureBatchTime(1_000, 50, seconds * 1_000)
    const times = `${(taken / 1_000).toFixed(0)} s, ${(taken / ideal).toFixed(2)} times the ideal`
    console.log(`  of ${String(seconds).padStart(3)} s each       ${times}, ${checks} checks`)
  }
}

async function reportLarge(megabytes: number): Promise<void> {
  const { small, large } = await measureMemory(megabytes)
  console.log(`\nPeak memory with a result of ${megabytes} MB (target: at most 100 MB more)`)
  console.log(`  small result         ${(small / 1e6).toFixed(0)} MB`)
  console.log(`  large result         ${(large / 1e6).toFixed(0)} MB`)

  const stored = await measureStore(megabytes)
  console.log(`\nStoring ${megabytes} MB: time, and peak memory more than for 1 MB`)
  console.log('  (targets: at most 1.3 times the client for random bytes, at most 100 MB more)')
  for (const { kind, client, action } of stored.large) {
    const times = (action.milliseconds / client.milliseconds).toFixed(2)
    console.log(`  ${kind.padEnd(8)} client alone  ${describe(client)}`)
    console.log(`  ${kind.padEnd(8)} action        ${describe(action)}, ${times} times`)
  }

  function describe({ milliseconds, peak }: Stored): string {
    const more = (peak - stored.small.peak) / 1e6
    return `${(milliseconds / 1_000).toFixed(1)} s, ${more.toFixed(0)} MB`
  }
}

function reportTexts(): void {
  const sizes = textSizes.map((size) => `${size / 1024} KiB`.padStart(9)).join('')
  console.log(
    '\nThe slowest of the hostile texts, in ms (linear: four times the size, four times the ms)',
  )
  console.log(`  ${''.padEnd(28)}${sizes}   grows by`)
  for (const { reader, text, spans } of measureTexts()) {
    const [, middle = 0, large = 0] = spans
    const columns = spans.map((span) => span.toFixed(1).padStart(9)).join('')
    console.log(
      `  ${reader.padEnd(28)}${columns}   ${(large / middle).toFixed(1).padStart(4)}  ${text}`,
    )
  }
}

function milliseconds(spans: readonly number[]): string {
  return `${median(spans).toFixed(0)} ms`
}
