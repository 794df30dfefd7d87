import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { storeRefusal, type Answer } from '../http/answer.ts'
import type { Execution } from './execution.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { answerFile, type StoredFile } from './stored-file.ts'

export type LinkedFile = 'result' | 'log'

interface Link {
  execution: Execution
  file: LinkedFile
  expires: number
}

/** Milliseconds ("Limits"). */
const lifetime = 60_000

/** Signed links: short-lived, and refused to whoever brings credentials, as object stores do. */
export class Links {
  /** Set once the port is known. */
  origin = ''
  readonly #now: () => number
  /** By path and query: a link of which a character was changed is none. */
  readonly #links = new Map<string, Link>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** A new link, valid from now on. */
  issue(execution: Execution, file: LinkedFile): string {
    const expires = this.#now() + lifetime
    const [token, signature] = [16, 32].map((size) => randomBytes(size).toString('hex'))
    const path = `/download/${token}/${signature}?expires=${expires}`
    this.#links.set(path, { execution, file, expires })
    return this.origin + path
  }

  /** Which file a link leads to. */
  fileOf(path: string): LinkedFile | undefined {
    return this.#links.get(path)?.file
  }

  async answer(request: RecordedRequest): Promise<Answer> {
    const link = this.#links.get(request.path)
    if (!link) {
      return storeRefusal(403, 'SignatureDoesNotMatch', 'The signature does not match the request')
    }
    if (carriesCredentials(request)) {
      return storeRefusal(400, 'InvalidArgument', 'Only one auth mechanism allowed')
    }
    if (this.#now() > link.expires) return expired()
    return answerFile(storedFile(link), request.headers)
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
