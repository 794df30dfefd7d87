import { expect, it } from '@jest/globals'
import { Deadline } from '../../../src/clock.ts'
import {
  adviseOn,
  afterUnclearAnswer,
  capitalised,
  type Route,
} from '../../../src/messages/advice.ts'
import { describeCause } from '../../../src/messages/cause.ts'
import {
  HttpError,
  MalformedAnswerError,
  notTheService,
  RedirectError,
} from '../../../src/service/service-errors.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { notSent } from '../../support/run-report.ts'

const statuses = [400, 401, 402, 403, 404, 405, 409, 410, 413, 418, 422, 429, 500, 501, 503]

/** Returns each hint, with the statuses that lead to the hint. */
function hintsOf(route: Route): string[] {
  const hints = Map.groupBy(statuses, (status) => {
    const failure = new HttpError({ status, words: status === 418 ? '' : 'No', key: 'detail' })
    return adviseOn(failure, route).hint
  })
  return [...hints].map(([hint, of]) => `${of.join(', ')}: ${hint}`)
}

it.each(['start', 'create-project'] as const)(
  'each status has a hint about the remedy, after the route %s',
  (route) => {
    expect(hintsOf(route).join('\n')).toMatchSnapshot()
  },
)

it.each([
  [503, 'The service answered 503 (Retry-After asks for a pause of 10 min).'],
  [429, 'The service answered 429 (Retry-After asks for a pause of 10 min).'],
  [500, 'The service answered 500.'],
])('the pause that the service asks for is named, after %d', (status, why) => {
  const failure = new HttpError({ status, words: '', key: undefined, retryAfter: 600_000 })
  expect(adviseOn(failure, 'start').why).toBe(why)
  const cause = describeCause(notSent(failure))
  expect(`${capitalised(cause ?? '')}.`).toBe(why)
})

it('a start whose time ran out before it was sent leads to the input timeout, and names no address', () => {
  using deadline = new Deadline(new SimulatedClock(), 0)

  expect(adviseOn(deadline.signal.reason, 'start')).toEqual({
    why: 'Time ran out.',
    hint: 'Increase the input timeout.',
  })
})

it.each([403, 404, 405, 410])('a base-url that ends in /api is named, after %d', (status) => {
  const asked = 'POST /hosting/api/api/start-automation/demo/report'
  const failure = new HttpError({ status, words: 'No', key: 'detail', asked })
  const { hint } = adviseOn(failure, 'start')
  expect(hint).toBe('Leave /api out of base-url. This action adds /api itself.')
})

it('refused credentials are named, although the service says that there were none', () => {
  const words = 'Authentication credentials were not provided.'
  const failure = new HttpError({ status: 401, words, key: 'detail' })
  const why =
    'The service refused api-token or api-key (401): wrong or expired. It said: "Authentication credentials were not provided".'
  expect(adviseOn(failure, 'start').why).toBe(why)
})

it('a refused start names the project and the automation', () => {
  const asked = 'POST /api/start-automation/demo%20one/daily'
  const words = 'This project does not exist.'
  const failure = new HttpError({ status: 403, words, key: 'message', asked })
  expect(adviseOn(failure, 'start').why).toBe(
    'The service refused project demo one or its automation daily (403): wrong name, or no access with this api-token. It said: "This project does not exist".',
  )
})

it.each([401, 403])('a web page with %d comes from a firewall, not from the service', (status) => {
  const facts = { status, words: 'Just a moment', key: undefined, isWebPage: true }
  const { why, hint } = adviseOn(new HttpError(facts), 'start')
  expect(why).toBe(`The service answered ${status} with a web page: Just a moment.`)
  expect(hint).toBe('Check base-url, and whether a firewall answers in place of the service.')
})

it.each([404, 405, 410])('the path that was asked for is named, after %d', (status) => {
  const asked = 'POST /v2/start'
  const failure = new HttpError({ status, words: '', key: undefined, asked })
  const why = `The service answered ${status} to ${asked}.`
  expect(adviseOn(failure, 'start').why).toBe(why)
})

it('says after an unclear answer whether the address redirects or leads to a web page', () => {
  const look = 'look for a new run.'
  const page = { status: 200, headers: { 'content-type': 'text/html' } }
  const hintOn = (failure: unknown) => afterUnclearAnswer(failure, look)

  expect(hintOn(new RedirectError(302, 'https://login.example/'))).toBe(
    'Check base-url: its address redirects. If base-url is right, look for a new run.',
  )
  expect(hintOn(new MalformedAnswerError(page, notTheService))).toBe(
    'Check base-url: a web page answered. If base-url is right, look for a new run.',
  )
  // Proxies have error pages of their own.
  const failure = new HttpError({ status: 502, words: '', key: undefined, isWebPage: true })
  expect(hintOn(failure)).toBe('Look for a new run.')
})
