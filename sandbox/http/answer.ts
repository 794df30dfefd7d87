export interface Body {
  /** The size of the body in bytes. */
  length: number
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** An HTTP response that is not sent yet. A fault may still change the response. */
export interface Answer {
  status: number
  headers: Record<string, string>
  body: Body
  /** The value that a JSON body was made from. */
  json?: object
}

export function bodyOf(content: string | Buffer): Body {
  const bytes = Buffer.from(content)
  return { length: bytes.length, read: () => (bytes.length ? [bytes] : []) }
}

export function textAnswer(status: number, contentType: string, content: string | Buffer): Answer {
  return { status, headers: { 'content-type': contentType }, body: bodyOf(content) }
}

export function jsonAnswer(status: number, json: object): Answer {
  return { ...textAnswer(status, 'application/json', JSON.stringify(json)), json }
}

export const noContent: Answer = { status: 204, headers: {}, body: bodyOf('') }

/** Returns an error of an object store. Azure's clients read `code` from `x-ms-error-code`. */
export function storeRefusal(status: number, code: string, message = code): Answer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`
  const answer = textAnswer(status, 'application/xml', text)
  return { ...answer, headers: { ...answer.headers, 'x-ms-error-code': code } }
}
