/** What to do about a failed call, by what failed: the hint that goes with the service's words. */
import { TimeUp } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { waitAction } from '../version.ts'
import { showWords, type Show } from './text/secrets.ts'
import { inline, unpunctuated } from './text/untrusted-text.ts'
import { describeElapsed } from './quantities.ts'
import { HttpError, NetworkError, RedirectError, ServiceError } from '../service/errors.ts'
import { noTls, oldTls, refusedHandshake, wantsCertificate } from '../service/tls-failure.ts'

export type Route = 'start' | 'create-project'

/** A sentence of why, and one of what to do. `why` may hold the service's own, untrusted words. */
export interface Advice {
  why: string
  hint: string
}

export function adviseOn(failure: unknown, route: Route, show: Show): Advice {
  const isUnreached = failure instanceof NetworkError && !failure.mayHaveArrived
  const words = wordsOf(failure, show)
  return {
    why: asSentence(isUnreached ? `no connection to the service (${words})` : words),
    hint: hintFor(failure, route),
  }
}

/** The reason that the service gives is bounded alone: our own words before it stay whole. */
function wordsOf(failure: unknown, show: Show): string {
  if (!(failure instanceof HttpError)) {
    // What Node advises of certificates is an option of its command line.
    return showWords(messageOf(failure), show).replace(
      /; if the root CA is installed locally.*$/,
      '',
    )
  }
  const { status, asked } = failure
  // A server without words of its own repeats its status: `404 Not Found`.
  const words = showWords(failure.words, show).replace(new RegExp(`^${status}[ :]+`), '')
  const where =
    unknownRoutes.has(status) && asked !== undefined ? ` to ${showWords(asked, show)}` : ''
  const asksFor = failure.retryAfter ?? 0
  const pause =
    [429, 503].includes(status) && asksFor > 0
      ? ` (Retry-After: it asks for a pause of ${describeElapsed(asksFor)})`
      : ''
  return `the service answered ${status}${where}${pause}${words ? `: ${words}` : ''}`
}

function asSentence(words: string): string {
  return `${capitalised(unpunctuated(words))}.`
}

function hintFor(failure: unknown, route: Route): string {
  if (failure instanceof NetworkError && !failure.mayHaveArrived) {
    return hintForConnection(failure.message)
  }
  if (failure instanceof TimeUp) return 'Increase the input timeout.'
  if (failure instanceof RedirectError) {
    return 'Check base-url: it must be the service itself. Redirects are not followed, since the credentials would go along.'
  }
  if (failure instanceof HttpError) return hintByStatus(failure.status, route)
  return 'Check base-url: this does not look like the Automation Hosting Service.'
}

function hintForConnection(words: string): string {
  if (words.includes(noTls)) {
    return words.includes('through the proxy')
      ? 'Check https_proxy: write http:// if the proxy itself speaks no TLS.'
      : 'Check base-url: its port must speak https.'
  }
  if (words.includes(oldTls)) return 'The server must offer TLS 1.2 or later.'
  if (words.includes(wantsCertificate)) {
    return 'Use an address of the service that asks for no client certificate: this action has none.'
  }
  if (words.includes(refusedHandshake)) {
    return 'Check base-url: that server may ask for a client certificate, and this action has none.'
  }
  if (words.includes('through the proxy')) {
    return 'Check https_proxy, and that the proxy is up; or name the service in no_proxy.'
  }
  if (/self-signed|unable to (get|verify)/.test(words)) {
    return "Set NODE_EXTRA_CA_CERTS to your CA's file in the job's env."
  }
  if (/certificate/i.test(words)) return 'Check base-url, and the certificate of that host.'
  return 'Check base-url, and that the runner can reach it (name, port, firewall).'
}

function hintByStatus(status: number, route: Route): string {
  switch (status) {
    case 400:
    case 422:
      return route === 'start'
        ? 'Check seed, webhook and webhook-headers: the service did not take them.'
        : 'Check region, docker-version and name against what the service offers.'
    case 401:
      return "api-token or api-key is wrong or has expired: check both (Settings section of the service's dashboard), and authorization-scheme."
    case 403:
      return route === 'start'
        ? "Check project and automation, and that the token's account may use them."
        : "Check that the token's account may create projects."
    case 402:
      return "Check your plan in the service's dashboard."
    case 404:
    case 405:
    case 410:
      return 'Check base-url: the service does not know this route there.'
    case 413:
      return route === 'start' ? 'Make the seed smaller.' : serviceSaysWhy
    case 429:
      return `The service limits requests. Run it again later${route === 'start' ? ', or start fewer runs at a time' : ''}.`
    default:
      return status >= 500 ? 'The service is in trouble. Run it again later.' : serviceSaysWhy
  }
}

/** Answers that say: not this route, or not with this method. */
const unknownRoutes = new Set([404, 405, 410])

const serviceSaysWhy = "The service's words say why; its dashboard may say more."

/** What to do after a request that may have been accepted; `look`: where to look, and then. */
export function afterUnclearAnswer(failure: unknown, look: string): string {
  return failure instanceof ServiceError && failure.isWebPage
    ? `Check base-url: most likely it is not the service's address. If it is, ${look}`
    : capitalised(look)
}

/** For a step that was cancelled before its start was taken. */
export const cancelledBefore: Advice = {
  why: 'The step was cancelled before the service had accepted a start.',
  hint: 'Re-run this job when you want it to run.',
}

/** What a later step or attempt can do about the execution. */
export interface Remedies {
  executionId?: string | undefined
  /** A re-run of the job takes this execution over, and starts none beside it: for certain. */
  isTakenOver: boolean
  show: Show
}

export function fetchLater({ executionId, show }: Remedies): string {
  const id =
    executionId === undefined
      ? 'its execution id'
      : `execution-id ${inline(show(executionId), maxIdLength)}`
  return `fetch it with ${waitAction} and ${id}`
}

/** Without starting it a second time. */
export function takeUp(remedies: Remedies): string {
  return remedies.isTakenOver
    ? `re-run this job: it takes this run over and starts none beside it. Elsewhere: ${fetchLater(remedies)}.`
    : `${fetchLater(remedies)}; do not start it again.`
}

/** A re-run with other credentials can't read what this attempt recorded. */
export function checkCredentials(remedies: Remedies): string {
  return `Check api-token, api-key and authorization-scheme, then ${fetchLater(remedies)}.`
}

const maxIdLength = 200

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
