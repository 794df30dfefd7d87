/** One whole answer of the artifact service. */
export interface Reply {
  status: number
  headers: Record<string, string>
  body: string
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

/** The service's own words for a second artifact of one name. */
export const nameTaken = inJson(409, {
  code: 'already_exists',
  msg: 'an artifact with this name already exists on the workflow run',
})
