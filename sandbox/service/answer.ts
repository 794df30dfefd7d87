/** One HTTP answer before it is on the wire, so that a fault can still change it. */
export interface Body {
  /** Bytes. */
  length: number
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface Answer {
  status: number
  headers: Record<string, string>
  body: Body
  /** The value behind a JSON body. */
  json?: Record<string, unknown>
}

export function bodyOf(text: string): Body {
  const bytes = Buffer.from(text)
  return { length: bytes.length, read: () => (bytes.length ? [bytes] : []) }
}

export function textAnswer(status: number, contentType: string, text: string): Answer {
  return { status, headers: { 'content-type': contentType }, body: bodyOf(text) }
}

export function jsonAnswer(status: number, json: Record<string, unknown>): Answer {
  return { ...textAnswer(status, 'application/json', JSON.stringify(json)), json }
}

/** An object store's way of saying no. */
export function storeRefusal(status: number, code: string, message: string): Answer {
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`
  return textAnswer(status, 'application/xml', text)
}
