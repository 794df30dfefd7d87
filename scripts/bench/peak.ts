/** The most memory that this process has taken. */
import { readFileSync } from 'node:fs'
import process from 'node:process'

/** Bytes. Linux hands `maxRSS` of a parent on to what it starts; the file is of this process alone. */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
