/** What the body of an answer is: JSON, or a web page in its place. */
import type { IncomingHttpHeaders } from 'node:http'

// What the service documents has two levels. Deeper values can only be under unknown keys, and
// JSON.stringify, among others, recurses once per level.
const maxDepth = 100

/** The body as JSON; undefined where it is none. Values nested too deeply become null. */
export function parseJson(body: string): unknown {
  try {
    // A byte order mark is not part of the text (RFC 8259, section 8.1).
    return limitDepth(JSON.parse(body.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

/** Changes `root` in place, level by level: recursion would be limited by the stack. */
function limitDepth(root: unknown): unknown {
  let level = isContainer(root) ? [root] : []
  for (let depth = 1; level.length > 0; depth++) {
    const next: Container[] = []
    for (const container of level) {
      for (const [key, value] of Object.entries(container)) {
        if (!isContainer(value)) continue
        if (depth < maxDepth) next.push(value)
        else container[key] = null
      }
    }
    level = next
  }
  return root
}

type Container = Record<string, unknown>

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

const pageStart = /^[\s\ufeff]*<(?:!doctype\s+html|html|head|title|meta|body|script)\b/i

/** Whether an answer is a web page: a login, a proxy's error page, another site. */
export function isWebPage(answer: { headers: IncomingHttpHeaders; body: string }): boolean {
  const { headers, body } = answer
  return /\bx?html\b/i.test(headers['content-type'] ?? '') || pageStart.test(body)
}
