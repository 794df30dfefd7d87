import type { Answer } from './transport.ts'

const pageStart = /^[\s\ufeff]*<(?:!doctype\s+html|html|head|title|meta|body|script)\b/i

/** Whether an answer is a page for people: a login, a proxy's notice, another site. */
export function isWebPage({ headers, body }: Pick<Answer, 'headers' | 'body'>): boolean {
  return /\bx?html\b/i.test(headers['content-type'] ?? '') || pageStart.test(body)
}
