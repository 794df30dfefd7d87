/**
 * `npm run bench` measures the action: its start-up compared with an empty Node program, the time
 * from the end of a run to the end of the step, the size of the bundles, and the time for hostile
 * texts. With `--large MEGABYTES`, it also measures memory and late timers with a large result. Slow
 * figures do not fail it, because machines differ.
 */
import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { measureStartUp } from './bench/start-up.ts'
import { measureStep, type MeasuredStep } from './bench/step.ts'
import { measureTexts } from './bench/texts.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    large: { type: 'string' },
  },
})
const runs = Number(values.runs)

await reportStartUp()
await reportTail()
await reportBundles()
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
  const tail: MeasuredStep[] = []
  for (let round = 0; round < runs / 3; round++) tail.push(await measureStep('word-report'))
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

function reportTexts(): void {
  console.log('\nTime for a MiB of the slowest hostile text, with 1,000 secrets')
  for (const { reader, unit, span } of measureTexts()) {
    console.log(`  ${reader.padEnd(20)} ${span.toFixed(0)} ms (${JSON.stringify(unit)})`)
  }
}

async function reportLarge(megabytes: number): Promise<void> {
  console.log(`\nA result of ${megabytes} MB (target: at most 100 MB more at its peak)`)
  for (const resultMegabytes of [1, megabytes]) {
    const { peak, late } = await measureStep('big-export', { resultMegabytes, logMegabytes: 1 })
    const size = `${resultMegabytes} MB`.padEnd(20)
    console.log(
      `  ${size} peak ${(peak / 1e6).toFixed(0)} MB, timers late by ${late.toFixed(0)} ms`,
    )
  }
}

function milliseconds(spans: readonly number[]): string {
  return `${median(spans).toFixed(0)} ms`
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN
}
