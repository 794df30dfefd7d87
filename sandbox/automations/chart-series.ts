/** Returns a number of runs for each day. Seed: `{ "days": 14 }`. */
import type { Automation } from '../service/automation.ts'

const firstDay = Date.UTC(2026, 0, 1)
const oneDay = 24 * 60 * 60 * 1000

const chartSeries: Automation<{ days?: number }> = ({ days = 14 }) => {
  console.log(`counting the runs of ${days} days`)
  return Array.from({ length: days }, (_, index) => ({
    day: new Date(firstDay + index * oneDay).toISOString().slice(0, 10),
    // The numbers rise and fall once a week.
    runs: 20 + Math.round(15 * Math.sin((2 * Math.PI * index) / 7)),
  }))
}

export default chartSeries
