// Loaded into the measured process: writes at its end how much memory it took at most, in bytes, and
// how late its timers were at most, in milliseconds.
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

/** On Linux, `maxRSS` of a process begins with that of its parent. The file in /proc is right. */
function peakMemory() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
