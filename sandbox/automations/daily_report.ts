/**
 * Returns the sales of a region for each day, or fails for the region south. Seed:
 * `{ "region": "north", "days": 14 }`. The failure prints a Python traceback.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { PythonError, type Automation } from '../service/automation.ts'

const firstDay = Date.UTC(2026, 0, 1)
const oneDay = 24 * 60 * 60 * 1000

const traceback = `Traceback (most recent call last):
  File "/app/jobs/daily_report.py", line 31, in daily_report
    rows = [{"day": day, "sales": amount(text)} for day, text in read(region, days)]
  File "/app/jobs/amounts.py", line 12, in amount
    return float(text.replace(",", ""))
ValueError: could not convert string to float: 'n/a'
`

const dailyReport: Automation<{ region?: string; days?: number }> = async ({
  region = 'north',
  days = 14,
}) => {
  console.log(`reading ${days} days of the region ${region}`)
  await delay(1_000)
  if (region === 'south') throw new PythonError(traceback)
  return Array.from({ length: days }, (_, index) => ({
    day: new Date(firstDay + index * oneDay).toISOString().slice(0, 10),
    // The sales rise and fall once a week.
    sales: 200 + Math.round(150 * Math.sin((2 * Math.PI * index) / 7)),
  }))
}

export default dailyReport
