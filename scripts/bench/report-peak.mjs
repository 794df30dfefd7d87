// Loaded into the measured process: writes at its end how much memory it took at most, in bytes.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

const file = process.env.BENCH_PEAK_FILE
if (isMainThread && file) process.on('exit', () => writeFileSync(file, String(peakMemory())))

/** Linux hands `maxRSS` of a parent on to what it starts; its file is of this process alone. */
function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
