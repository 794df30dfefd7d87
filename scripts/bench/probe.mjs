// Runs in the measured process. When the process exits, writes its peak memory in bytes and the longest
// delay of its timers in milliseconds.
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import path from 'node:path'
import process from 'node:process'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const delay = monitorEventLoopDelay()
  delay.enable()
  process.on('exit', () => {
    const seen = { peak: peakMemory(), late: delay.max / 1e6 }
    writeFileSync(path.join(process.env.RUNNER_TEMP, 'probe.json'), JSON.stringify(seen))
  })
}

/** Returns bytes. On Linux, `maxRSS` begins with the value of the parent process, so /proc is read. */
function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
