import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { findCause } from '../../../src/cause/find-cause.ts'

/** What an engineer wants to read first in a log of a real program. */
interface Case {
  file: string
  must: string[]
  must_not: string[]
  /** The file and line where the error was raised. Null if the place does not matter. */
  place: string | null
}

const folder = path.join(import.meta.dirname, '../../logs')
const cases = JSON.parse(readFileSync(path.join(folder, 'cases.json'), 'utf8')) as Case[]

it.each(cases)('the cause is right in $file', ({ file, must, must_not, place }) => {
  const { text = '', frame } = findCause(readFileSync(path.join(folder, file), 'utf8')) ?? {}

  const shown = text.replace(/\s+/g, ' ')
  expect(must.filter((words) => !shown.includes(words))).toEqual([])
  expect(must_not.filter((words) => shown.includes(words))).toEqual([])
  if (place !== null) {
    expect(`${path.win32.basename(frame?.file ?? '')}, line ${frame?.line}`).toBe(place)
  }
})

it('at least 299 logs are read', () => {
  expect(new Set(cases.map(({ file }) => file)).size).toBeGreaterThanOrEqual(299)
})
