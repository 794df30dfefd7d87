import { expect, it } from '@jest/globals'
import { Deadline } from '../../../src/clock.ts'
import { adviseOn, afterUnclearAnswer, type Route } from '../../../src/messages/advice.ts'
import {
  HttpError,
  MalformedAnswerError,
  RedirectError,
} from '../../../src/service/service-errors.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { longAdvice } from '../../support/advice.ts'
import { httpError, statuses, unreachedFailures } from '../../support/failures.ts'

/** Returns each hint, with the statuses that lead to the hint. */
function hintsOf(route: Route): string[] {
  const hints = Map.groupBy(statuses, (status) => {
    const failure = new HttpError({ status, words: status === 418 ? '' : 'No' })
    return adviseOn(failure, route).hint
  })
  return [...hints].map(([hint, of]) => `${of.length > 9 ? `${of[0]} …` : of.join(', ')}: ${hint}`)
}

it.each(['start', 'create-project'] as const)(
  'each status has a short hint about the remedy, after the route %s',
  (route) => {
    expect(hintsOf(route).join('\n')).toMatchSnapshot()
    const failures = [...statuses.map((status) => httpError(status)), ...unreachedFailures]
    expect(longAdvice(failures.map((failure) => adviseOn(failure, route).hint))).toEqual([])
  },
)

const answered = (given: Partial<ConstructorParameters<typeof HttpError>[0]>) =>
  new HttpError({ status: 404, words: '', ...given })

using deadline = new Deadline(new SimulatedClock(), 0)
const pause = 'Retry-After asks for a pause of 10 min'
const leaveOut = { hint: 'Leave /api out of base-url. This action adds /api itself.' }

it.each<[unknown, Partial<ReturnType<typeof adviseOn>>]>([
  [answered({ status: 503, retryAfter: 600_000 }), { why: `The service answered 503 (${pause}).` }],
  [answered({ status: 429, retryAfter: 600_000 }), { why: `The service answered 429 (${pause}).` }],
  [answered({ status: 500, retryAfter: 600_000 }), { why: 'The service answered 500.' }],
  [deadline.signal.reason, { why: 'Time ran out.', hint: 'Increase the input timeout.' }],
  [answered({ asked: 'POST /hosting/api/api/start-automation/demo/report' }), leaveOut],
  // Some gateways answer 403 if they do not know a path.
  [answered({ status: 403, asked: 'POST /api/api/start-automation/demo/report' }), leaveOut],
  [
    answered({ status: 403, isWebPage: true }),
    { hint: 'Check base-url, and whether a firewall answers in place of the service.' },
  ],
  [answered({ asked: 'POST /v2/start' }), { why: 'The service answered 404 to POST /v2/start.' }],
])('the advice on a start that fails with: %s', (failure, advice) => {
  expect(adviseOn(failure, 'start')).toMatchObject(advice)
})

const page = { status: 200, headers: { 'content-type': 'text/html' } }
const look = 'look for a new run.'

it.each<[unknown, string]>([
  [
    new RedirectError(302, 'https://login.example/', undefined),
    `Check base-url: its address redirects. If base-url is right, ${look}`,
  ],
  [
    new MalformedAnswerError(page, 'it is a web page', true),
    `Check base-url: a web page answered. If base-url is right, ${look}`,
  ],
  // Proxies have error pages of their own.
  [answered({ status: 502, isWebPage: true }), 'Look for a new run.'],
])('an unclear answer leads to base-url if a web page answered: %s', (failure, advice) => {
  expect(afterUnclearAnswer(failure, look)).toBe(advice)
})
