/** Counts seconds and prints each step. Seed: `{ "seconds": 3, "step": 1 }`. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Automation } from '../service/automation.ts'

const slowCount: Automation<{ seconds?: number; step?: number }> = async ({
  seconds = 3,
  step = 1,
}) => {
  const rows: { step: number; seconds: number }[] = []
  const steps = Math.ceil(seconds / step)
  for (let count = 1; count <= steps; count++) {
    const passed = Math.min(count * step, seconds)
    await delay((passed - (rows.at(-1)?.seconds ?? 0)) * 1000)
    console.log(`step ${count} of ${steps}: ${passed} s`)
    rows.push({ step: count, seconds: passed })
  }
  return rows
}

export default slowCount
