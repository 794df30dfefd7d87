/**
 * Returns a report for a city, for batches. Seed: `{ "city": "Oslo" }`. With `"down": 2`, the first
 * two runs for this city fail. With `"seconds": 3`, a run takes 3 s.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PythonError, type Automation } from '../service/automation.ts'

const noAnswerFrom = (city: string) => `Traceback (most recent call last):
  File "/app/jobs/city_report.py", line 18, in city_report
    raise ConnectionError(f"no answer from {city}")
ConnectionError: no answer from ${city}
`
const noCity = `Traceback (most recent call last):
  File "/app/jobs/city_report.py", line 11, in city_report
    city = seed["city"]
KeyError: 'city'
`

const cityReport: Automation<{ city?: unknown; down?: number; seconds?: number }> = async (
  { city, down = 0, seconds = 0 },
  { sandboxFolder },
) => {
  if (typeof city !== 'string') throw new PythonError(noCity)
  console.log(`asking for ${city}`)
  await delay(1_000 * seconds)
  const name = createHash('sha256').update(city).digest('hex')
  const file = join(sandboxFolder, `city-${name}`)
  appendFileSync(file, '.')
  if (readFileSync(file).length <= down) throw new PythonError(noAnswerFrom(city))
  return { city, length: city.length }
}

export default cityReport
