/** Returns the visits and orders of each day of a year. Seed: `{ "year": 2026 }`. */
import type { Automation } from '../service/automation.ts'

const oneDay = 24 * 60 * 60 * 1000

const yearOfVisits: Automation<{ year?: number }> = ({ year = 2026 }) => {
  const firstDay = Date.UTC(year, 0, 1)
  const days = (Date.UTC(year + 1, 0, 1) - firstDay) / oneDay
  console.log(`counting the visits of ${days} days`)
  return Array.from({ length: days }, (_, index) => {
    // The visits are lowest in summer and at weekends.
    const season = 200 * Math.cos((2 * Math.PI * index) / days)
    const visits = Math.round(900 + season + 80 * Math.sin((2 * Math.PI * index) / 7))
    const day = new Date(firstDay + index * oneDay).toISOString().slice(0, 10)
    return { day, visits, orders: Math.round(visits / 25) }
  })
}

export default yearOfVisits
