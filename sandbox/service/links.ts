import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { storeRefusal, type Answer } from '../http/answer.ts'
import type { Execution } from './execution.ts'
import type { RecordedRequest } from './recorded-request.ts'

export type LinkedFile = 'result' | 'log'

interface Link {
  execution: Execution
  file: LinkedFile
  expires: number
}

/** In milliseconds. Source: docs/contributing/service.md, "Result and log links". */
const lifetime = 60_000

/** Issues and answers signed links. Refuses requests with credentials, as object stores do. */
export class Links {
  /** The origin of all links. Empty until the port is known. */
  origin = ''
  readonly #now: () => number
  /** The links by path and query. A link with a changed character is not found. */
  readonly #links = new Map<string, Link>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Returns a new link, valid for 60 s. */
  issue(execution: Execution, file: LinkedFile): string {
    const expires = this.#now() + lifetime
    const [token, signature] = [16, 32].map((size) => randomBytes(size).toString('hex'))
    const path = `/download/${token}?expires=${expires}&signature=${signature}`
    this.#links.set(path, { execution, file, expires })
    return this.origin + path
  }

  /** Returns the kind of file that a link leads to, or undefined if the link is unknown. */
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
    return answerFile(link)
  }
}

/** Returns the file of a link, as an object store does. */
async function answerFile({ execution, file }: Link): Promise<Answer> {
  const isLog = file === 'log'
  const path = join(execution.folder, isLog ? 'run.log' : 'result')
  const { size: length } = await stat(path)
  const headers = { 'content-type': isLog ? 'text/plain; charset=utf-8' : execution.resultType }
  return { status: 200, headers, body: { length, read: () => createReadStream(path) } }
}

export function expired(): Answer {
  return storeRefusal(403, 'AccessDenied', 'Request has expired')
}

function carriesCredentials({ headers }: RecordedRequest): boolean {
  return headers.authorization !== undefined || headers['x-api-key'] !== undefined
}
