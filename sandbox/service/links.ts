import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { storeRefusal, type Answer } from './answer.ts'
import type { HostedExecution } from './execution.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { answerFile, type Serving, type StoredFile } from './stored-file.ts'

export type LinkedFile = 'result' | 'log'

interface Link {
  execution: HostedExecution
  file: LinkedFile
}

/** Milliseconds ("Limits"). */
const lifetime = 60_000

/** Signed links: short-lived, and refused to whoever brings credentials, as object stores do. */
export class Links {
  /** Set once the port is known. */
  origin = ''
  readonly #now: () => number
  readonly #secret = randomBytes(32)
  readonly #links = new Map<string, Link>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** A new link, valid from now on. */
  issue(execution: HostedExecution, file: LinkedFile): string {
    const token = randomBytes(16).toString('hex')
    this.#links.set(token, { execution, file })
    const expires = String(this.#now() + lifetime)
    return `${this.origin}/download/${token}/${this.#sign(token, expires)}?expires=${expires}`
  }

  /** Which file a link of this token leads to. */
  fileOf(token: string): LinkedFile | undefined {
    return this.#links.get(token)?.file
  }

  async answer(request: RecordedRequest, serving: Serving): Promise<Answer> {
    const { token, expires, valid } = this.#read(request.path)
    const link = this.#links.get(token)
    if (!link || !valid) {
      return storeRefusal(403, 'SignatureDoesNotMatch', 'The signature does not match the request')
    }
    if (carriesCredentials(request)) {
      return storeRefusal(400, 'InvalidArgument', 'Only one auth mechanism allowed')
    }
    if (this.#now() > expires) return expired()
    const { range, 'if-range': ifRange } = request.headers
    return answerFile(storedFile(link), { range, ifRange: textOf(ifRange) }, serving)
  }

  #read(path: string): { token: string; expires: number; valid: boolean } {
    const url = new URL(path, 'http://sandbox')
    const [, , token = '', signature = ''] = url.pathname.split('/')
    const expires = url.searchParams.get('expires') ?? ''
    const right = Buffer.from(this.#sign(token, expires))
    const given = Buffer.from(signature)
    const valid = given.length === right.length && timingSafeEqual(given, right)
    return { token, expires: Number(expires), valid }
  }

  #sign(token: string, expires: string): string {
    return createHmac('sha256', this.#secret).update(`${token} ${expires}`).digest('hex')
  }
}

function storedFile({ execution, file }: Link): StoredFile {
  const isLog = file === 'log'
  return {
    path: join(execution.folder, isLog ? 'run.log' : 'result'),
    contentType: isLog ? 'text/plain; charset=utf-8' : execution.resultType,
    tag: `${execution.id}-${file}`,
  }
}

export function expired(): Answer {
  return storeRefusal(403, 'AccessDenied', 'Request has expired')
}

function carriesCredentials({ headers }: RecordedRequest): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}

function textOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
