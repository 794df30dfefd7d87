/** Composes the reason and the advice for a failed request to the service. */
import { TimeUp } from '../clock.ts'
import { messageOf } from '../errors.ts'
import { waitAction } from '../version.ts'
import { unpunctuated } from './text/untrusted-text.ts'
import { describeElapsed } from './quantities.ts'
import {
  HttpError,
  isUnreached,
  naming,
  RedirectError,
  ServiceError,
} from '../service/service-errors.ts'

export type Route = 'start' | 'create-project'

/** `why` is the reason for a problem, and can quote the server. `hint` says what to do. */
interface Advice {
  why: string
  hint: string
}

export function adviseOn(failure: unknown, route: Route): Advice {
  const words = wordsOf(failure)
  const why = isUnreached(failure) ? `no connection to the service at base-url (${words})` : words
  return { why: `${capitalised(unpunctuated(why))}.`, hint: hintFor(failure, route) }
}

/** Returns the reason for a failed request. */
export function wordsOf(failure: unknown): string {
  if (!(failure instanceof HttpError)) return messageOf(failure)
  const { status, asked, executionId } = failure
  const isPlain = !failure.isWebPage && executionId === undefined
  if (status === 401 && isPlain) return refusedCredentials(failure)
  if (status === 403 && isPlain && !isApiTwice(failure)) {
    const target = /\/api\/start-automation\/([^/]+)\/([^/]+)$/.exec(asked ?? '')
    if (target) return refusedTarget(target.slice(1).map(decodeURIComponent), failure)
  }
  // Some servers begin their error text with the status, such as `404 Not Found`. The status is
  // removed, because the returned text already contains the status.
  const words = failure.words.trim().replace(new RegExp(`^${status}[ :]+`), '')
  const where = unknownRoutes.has(status) && asked !== undefined ? ` to ${asked}` : ''
  const asksFor = failure.retryAfter ?? 0
  const pause =
    [429, 503].includes(status) && asksFor > 0
      ? ` (Retry-After asks for a pause of ${describeElapsed(asksFor)})`
      : ''
  const page = failure.isWebPage ? ' with a web page' : ''
  const named = naming(executionId)
  return `the service answered ${status}${where}${page}${named}${pause}${words ? `: ${words}` : ''}`
}

/** Says that the service refused the credentials. Often its own words say that there were none. */
export function refusedCredentials({ status, words }: HttpError): string {
  const why = status === 401 ? ': wrong or expired' : ''
  return `the service refused api-token or api-key (${status})${why}${quoted(words)}`
}

function refusedTarget(names: readonly string[], { words }: HttpError): string {
  const [project = '', automation = ''] = names
  return `the service refused project ${project} or its automation ${automation} (403): wrong name, or no access with this api-token${quoted(words)}`
}

/** Returns a sentence with the service's words, without its full stop, or ''. */
function quoted(words: string): string {
  const said = unpunctuated(words)
  return said === '' ? '' : `. It said: "${said}"`
}

/** Returns true if base-url ends in /api, to which this action adds /api. */
function isApiTwice({ status, asked = '' }: HttpError): boolean {
  // Some gateways answer 403 if they do not know a path.
  return (status === 403 || unknownRoutes.has(status)) && asked.includes('/api/api/')
}

function hintFor(failure: unknown, route: Route): string {
  if (isUnreached(failure)) return hintForConnection(failure.message)
  if (failure instanceof TimeUp) return 'Increase the input timeout.'
  if (failure instanceof RedirectError) {
    return 'Check base-url: its address redirects. This action follows no redirects, because the other server would get the credentials.'
  }
  if (failure instanceof HttpError) return hintByAnswer(failure, route)
  return 'Check base-url: the server at this address does not look like the Automation Hosting Service.'
}

function hintForConnection(words: string): string {
  if (words.includes('wants a login')) {
    return 'Write user and password into https_proxy (http://USER:PASSWORD@HOST:PORT). Or name the service in no_proxy.'
  }
  if (words.includes('through the proxy')) {
    return 'Check https_proxy (http:// or https://), and that the proxy is running. Or name the service in no_proxy.'
  }
  if (words.includes('TLS failed')) {
    return 'Check base-url and its port. The server must use TLS 1.2 or later, and must not ask for a client certificate.'
  }
  if (words.includes('ECONNREFUSED')) {
    return 'The service may be restarting: re-run this job later. If this happens again, check base-url (name, port) and the firewall.'
  }
  if (/self-signed|unable to (get|verify)/.test(words)) {
    return 'Set NODE_EXTRA_CA_CERTS to the certificate file of your CA. If it is set, look for "Ignoring extra certs" in this log, or let the server send its intermediate certificate.'
  }
  if (/certificate/i.test(words)) return 'Check base-url, and the certificate of that host.'
  return 'Check base-url, and that the runner can reach it (name, port, firewall).'
}

function hintByAnswer(failure: HttpError, route: Route): string {
  const { status, words, isWebPage } = failure
  if (isApiTwice(failure)) return 'Leave /api out of base-url. This action adds /api itself.'
  if (isWebPage && [401, 403].includes(status)) {
    return 'Check base-url, and whether a firewall answers in place of the service.'
  }
  if (unknownRoutes.has(status)) return 'Check base-url: the service does not know this path.'
  const hint = hintsOf[route][status] ?? hintsByStatus[status]
  if (hint !== undefined) return hint
  if (status >= 500) return 'The service has a problem. Re-run this job later.'
  return words === ''
    ? 'The service gave no reason. Its dashboard may say more.'
    : 'The message of the service says why. Its dashboard may say more.'
}

const startNotAccepted = 'Check seed, webhook and webhook-headers: the service did not accept them.'
const projectNotAccepted = 'Check region, docker-version and name: the service did not accept them.'

const hintsOf: Readonly<Record<Route, Readonly<Record<number, string>>>> = {
  start: {
    400: startNotAccepted,
    403: "Check the names in project and automation, and that the token's account may use them.",
    413: 'Make the seed smaller.',
    422: startNotAccepted,
    429: 'The service limits requests. Re-run this job later, or start fewer runs at a time.',
  },
  'create-project': {
    400: projectNotAccepted,
    403: "Check that the token's account may create projects.",
    422: projectNotAccepted,
    429: 'The service limits requests. Re-run this job later.',
  },
}

const hintsByStatus: Readonly<Record<number, string>> = {
  401: "Check api-token and api-key (Settings section of the service's dashboard), and authorization-scheme.",
  402: "Check your plan in the service's dashboard.",
}

/** The HTTP statuses of a service that does not know the path or the method. */
const unknownRoutes = new Set([404, 405, 410])

/** Returns the advice after an unclear answer to a request. `look` says where people can check. */
export function afterUnclearAnswer(failure: unknown, look: string): string {
  // A proxy in front of the service answers with its own error pages, so they do not count here.
  const isPage = failure instanceof ServiceError && failure.isWebPage
  if (!isPage || failure instanceof HttpError) return capitalised(look)
  const found = failure instanceof RedirectError ? 'its address redirects' : 'a web page answered'
  return `Check base-url: ${found}. If base-url is right, ${look}`
}

/** The advice for a step that was cancelled before the service accepted the start request. */
export const cancelledBefore: Advice = {
  why: 'The step was cancelled before the service had accepted a start.',
  hint: 'Re-run this job if you still need it.',
}

export function fetchLater(executionId: string): string {
  return `fetch the run with ${waitAction} and execution-id ${executionId}`
}

/**
 * Returns the advice to continue with the run instead of starting a second run. `rerunTakesOver` is
 * true if a re-run certainly continues with this execution.
 */
export function takeUp(executionId: string, rerunTakesOver: boolean): string {
  return rerunTakesOver
    ? `re-run this job: it takes over this run. Or ${fetchLater(executionId)}.`
    : `${fetchLater(executionId)}. Do not start it again.`
}

/** Advises no re-run, because a re-run with other credentials cannot read the record. */
export function checkCredentials(executionId: string): string {
  return `Check api-token, api-key and authorization-scheme, then ${fetchLater(executionId)}.`
}

export function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}
