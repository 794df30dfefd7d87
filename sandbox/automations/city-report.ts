/**
 * A report for a city, for batches. Seed: `{ "city": "Oslo" }`. With `"down": 1` the city's source is
 * down in its first run, with 2 in its first two, counted by the sandbox.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Automation } from '../service/automation.ts'

class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

class SeedError extends Error {
  override readonly name = 'SeedError'
}

const cityReport: Automation<{ city?: unknown; down?: number }> = (
  { city, down = 0 },
  { sandboxFolder },
) => {
  if (typeof city !== 'string') throw new SeedError('the seed must name a city: {"city": "Oslo"}')
  console.log(`asking for ${city}`)
  const name = createHash('sha256').update(city).digest('hex')
  const file = join(sandboxFolder, `city-${name}`)
  appendFileSync(file, '.')
  if (readFileSync(file).length <= down) throw new ConnectionError(`no answer from ${city}`)
  return { city, length: city.length }
}

export default cityReport
