/** Reads lines that are JSON objects: their level, their text and their exceptions. */
import { levelOf } from './levels.ts'

type JsonObject = Readonly<Record<string, unknown>>

interface JsonLine {
  level: number | undefined
  text: string
  /** The exceptions in the object, as a program writes them into an ordinary log. */
  exceptions: string[]
}

export const headingWords = 'Traceback (most recent call last)'
const textMembers = ['message', 'msg', 'event', 'text', 'log', 'textPayload', 'errorMessage']
const levelMembers = ['level', 'levelname', 'severity', 'log.level', 'log_level']
const maxDepth = 4

/** Returns what a JSON object says. Undefined if the text is no JSON object. */
export function readJson(text: string): JsonLine | undefined {
  let value: JsonObject
  try {
    value = JSON.parse(text) as JsonObject
  } catch {
    return undefined
  }
  const words = textOf(value, textMembers)?.trimEnd() ?? text
  // A collector may wrap what a program wrote as JSON.
  const inner = words !== text && /^\{.*\}$/.test(words) ? readJson(words) : undefined
  if (inner) return inner
  const reason = textOf(value, ['error', 'reason', 'err'])
  const level = levelMembers.map((name) => levelOf(value[name])).find(Boolean)
  return {
    level,
    text: reason === undefined || words.includes('\n') ? words : `${words}: ${reason}`,
    exceptions: [...new Set(exceptionsIn(value))].filter((exception) => exception !== words),
  }
}

/** Returns the exceptions in a JSON value. Exceptions without a text are written as CPython does. */
function exceptionsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') {
    return value.includes(headingWords) || /\n\s+at /.test(value) ? [value] : []
  }
  if (depth > maxDepth || typeof value !== 'object' || value === null) return []
  // In a list of exceptions, the exception that was raised last comes first.
  const parts = Array.isArray(value) ? value.toReversed() : Object.values(value)
  const inner = parts.flatMap((part) => exceptionsIn(part, depth + 1))
  const object = value as JsonObject
  const name = textOf(object, ['exc_type', 'type', 'errorType'])
  const stack = object['frames'] ?? object['stackTrace'] ?? object['stack_trace']
  const hasStack = Array.isArray(stack) || typeof stack === 'string'
  if (inner.length > 0 || name === undefined || !hasStack) return inner
  const words = textOf(object, ['exc_value', 'errorMessage', 'message']) ?? ''
  return [[`${headingWords}:`, ...[stack].flat().map(frameOf), `${name}: ${words}`].join('\n')]
}

function frameOf(frame: unknown): string {
  if (typeof frame === 'string') return frame.trimEnd()
  const { filename, file = filename, lineno } = frame as JsonObject
  return `  File "${String(file)}", line ${String(lineno)}`
}

/** Returns the first of these members that is a text. */
function textOf(value: JsonObject, keys: readonly string[]): string | undefined {
  return keys.map((key) => value[key]).find((member) => typeof member === 'string')
}
