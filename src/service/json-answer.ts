/** The text of an answer as JSON, of a depth that everything which comes after can bear. */

// What the service documents has two levels. What lies deeper than this is in keys that nobody
// knows, and JSON.stringify, among others, goes down one call a level.
const deepest = 100

/** Undefined where the text is no JSON. What is nested too deeply becomes null. */
export function parseAnswer(text: string): unknown {
  try {
    // A byte order mark is no part of the text (RFC 8259, 8.1).
    return bounded(JSON.parse(text.replace(/^\ufeff/, '')))
  } catch {
    return undefined
  }
}

function bounded(root: unknown): unknown {
  let level = isContainer(root) ? [root] : []
  for (let depth = 1; level.length > 0; depth++) {
    const next: Container[] = []
    for (const container of level) {
      for (const [key, value] of Object.entries(container)) {
        if (!isContainer(value)) continue
        if (depth < deepest) next.push(value)
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
