/** Explains why a call of GitHub's clients failed, and whether another try can help. */
import { codeOf } from '../../errors.ts'

/** A request of a client, and its answer so far. */
export interface Exchange {
  host: string
  path: string
  status: number | undefined
  isWebPage: boolean
  /** The error of the connection, if there was one. */
  error: Error | undefined
}

export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
  /**
   * `temporary`: another try may succeed. `taken`: the artifact's name is in use. `unsupported`: the
   * runner or the server offers no such service.
   */
  readonly kind: 'temporary' | 'taken' | 'unsupported' | 'final'
  /** True if the artifact service may have created the artifact, although the call failed. */
  readonly mayExist: boolean

  constructor(message: string, kind: StorageFailure['kind'], mayExist = false) {
    super(message)
    this.kind = kind
    this.mayExist = mayExist
  }
}

/** Returns true for the failure of a client, whose bundle has a copy of this class. */
function isFailure(error: unknown): error is StorageFailure {
  return error instanceof Error && error.name === 'StorageFailure'
}

export function failureIn(error: unknown): StorageFailure | undefined {
  return isFailure(error) ? error : undefined
}

type Service = 'artifact service' | 'cache service'

/** `text` is what the client says. `exchanges` are the requests of the failed call. */
export function explain(
  service: Service,
  text: string,
  exchanges: readonly Exchange[],
): StorageFailure {
  const { host = '', status, isWebPage, error } = exchanges.at(-1) ?? {}
  // The words of a web page are not from the service.
  const reason = isWebPage ? '' : reasonIn(text)
  const place = `the ${service} ${host}`
  const mayExist = exchanges.some(mayHaveCreated)
  if (error) {
    const why = reasonIn(codeOf(error) ?? error.message)
    return new StorageFailure(`${place} cannot be reached (${why})`, 'temporary', mayExist)
  }
  const kind = mayPass(service, reason, status, isWebPage) ? 'temporary' : 'final'
  if (status === undefined || (status < 300 && reason !== '')) {
    return new StorageFailure(reason || `${place} did not answer`, kind, mayExist)
  }
  const page = isWebPage ? ' with a web page' : ''
  const message = `${place} answered ${status}${page}${reason && `: ${reason}`}`
  return new StorageFailure(message, status === 409 ? 'taken' : kind, mayExist)
}

/** Returns true if another try may get another answer. GitHub gives a reason if it refuses a call. */
function mayPass(
  service: Service,
  reason: string,
  status = 0,
  isWebPage: boolean | undefined = false,
): boolean {
  if (isInterrupted.test(reason) || status === 408) return true
  // The artifact client repeats a call itself after most other answers.
  if (service === 'artifact service') return status === 403 && reason === ''
  const isBusy = status >= 500 || status === 429
  return isWebPage || isBusy || (status >= 300 && (reason === '' || isTar.test(reason)))
}

/** Returns false if the service certainly refused to create the artifact. */
function mayHaveCreated({ path, status }: Exchange): boolean {
  const isRefused = status !== undefined && status >= 400 && status < 500
  return path.endsWith('/CreateArtifact') && !isRefused
}

// A signal to the whole process group also ends `tar`.
const isInterrupted = /timeout|stalled|aborted|exit code null/i

// The cache client unpacks whatever a store answers.
const isTar = /\btar\b/i

/** Matches what the clients write before a reason. */
const wrappers =
  /^(?:Failed to \w+: |Received non-retryable error: |Failed to make request after \d+ attempts: |Rate limited: |Failed request: \(\d+\)[^:]*(?:: |$))+/
/** Matches texts about a body that is no JSON, and bodies without words. */
const saysNothing =
  /^(?:[{}\s]*|<.*|.*is not valid JSON|Unexpected end of JSON input|Error ".*" occurred while parsing the response body.*)$/

/** Returns the reason in the first line of a client's text, or '' if there is none. */
function reasonIn(text: string): string {
  const [line = ''] = text.split(/[\r\n]/)
  const reason = line.replace(wrappers, '').trim().replace(/\.$/, '')
  return saysNothing.test(reason) ? '' : reason
}
