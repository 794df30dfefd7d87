import { expect, it } from '@jest/globals'
import { violations } from './cases.ts'
import { checkLink, linkCases } from './link.ts'
import { checkStart, startCases } from './start.ts'
import { checkStatus, statusCases } from './status.ts'
import { performHere } from './step.ts'

/** How many cases a route gets; 5,000 take some minutes. */
const count = Number(process.env['FUZZ_ANSWERS'] ?? 100)
const longest = 30_000 + count * 400

it(
  'whatever answers a start, it is told once, truly, and nothing is started twice',
  async () => {
    const check = (given: Parameters<typeof checkStart>[0]) => checkStart(given, performHere)
    expect(await violations(startCases, check, count)).toEqual([])
  },
  longest,
)

it(
  'whatever answers a check, only a run that succeeded passes',
  async () => {
    const check = (given: Parameters<typeof checkStatus>[0]) => checkStatus(given, performHere)
    expect(await violations(statusCases, check, count)).toEqual([])
  },
  longest,
)

it(
  'whatever answers a link, a result that is handed on is whole',
  async () => {
    const check = (given: Parameters<typeof checkLink>[0]) => checkLink(given, performHere)
    expect(await violations(linkCases, check, count)).toEqual([])
  },
  longest,
)
