/**
 * `npm run bench`: what the action costs. Start-up as a ratio to an empty Node program, the time
 * from a run's end to the step's end, the bundles' bytes, how the work on hostile texts grows with
 * their length, and with `--large MEGABYTES` the memory that a large result takes. `--texts`: the
 * texts alone. Figures, never a verdict: machines are noisy.
 */
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { peakMemory } from './bench/memory.ts'
import { measureStartUp } from './bench/start-up.ts'
import { measureTexts, textSizes } from './bench/texts.ts'
import { measureTail } from './bench/tail.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    large: { type: 'string' },
    texts: { type: 'boolean', default: false },
  },
})
const runs = Number(values.runs)

if (!values.texts) {
  await reportStartUp()
  await reportTail()
  await reportBundles()
}
reportTexts()
if (values.large !== undefined) await reportLarge(Number(values.large))

async function reportStartUp(): Promise<void> {
  const startUp = await measureStartUp(runs)
  console.log('Start-up to the first request (median of pairs)')
  console.log(`  empty Node program   ${milliseconds(startUp.map(({ empty }) => empty))}`)
  console.log(`  action               ${milliseconds(startUp.map(({ action }) => action))}`)
  const toEmpty = median(startUp.map(({ action, empty }) => action / empty))
  console.log(`  ratio to empty       ${toEmpty.toFixed(2)} (target: at most 2.5)`)
}

async function reportTail(): Promise<void> {
  const tail = await measureTail(Math.ceil(runs / 3))
  console.log("\nFrom the run's end to the step's end, poll-interval 1 s (median)")
  console.log(`  until it is noticed  ${milliseconds(tail.map(({ noticed }) => noticed))}`)
  console.log(
    `  fetch, publish, end  ${milliseconds(tail.map(({ published }) => published))} (target: at most 60)`,
  )
}

async function reportBundles(): Promise<void> {
  console.log('\nBundles (target: main bundle under 1.5 MB)')
  const dist = path.resolve(import.meta.dirname, '../dist')
  for (const name of await readdir(dist)) {
    const { size } = await stat(path.join(dist, name, 'index.js'))
    console.log(`  ${name.padEnd(20)} ${(size / 1000).toFixed(0)} kB`)
  }
}

async function reportLarge(megabytes: number): Promise<void> {
  console.log(`\nPeak memory with a result of ${megabytes} MB (target: at most 100 MB more)`)
  console.log(`  small result         ${((await peakMemory(1)) / 1e6).toFixed(0)} MB`)
  console.log(`  large result         ${((await peakMemory(megabytes)) / 1e6).toFixed(0)} MB`)
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

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}
