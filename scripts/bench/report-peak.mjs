// Loaded into the measured process: says at its end how much memory it took at most, in bytes.
import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { peakMemory } from './peak.ts'

const file = process.env.BENCH_PEAK_FILE
if (isMainThread && file) {
  process.on('exit', () => writeFileSync(file, String(peakMemory())))
}
