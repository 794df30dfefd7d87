/** One whole answer of a service of the runner's. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string | Buffer
}

export function inJson(status: number, body: unknown): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

/** An error of the blob store, as Azure words them. */
export function inXml(status: number, code: string): Reply {
  return {
    status,
    headers: { 'content-type': 'application/xml', 'x-ms-error-code': code },
    body: `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`,
  }
}
