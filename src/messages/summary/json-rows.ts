/** Finds rows in JSON and in JSON Lines. The texts may be the beginnings of longer texts. */
import { flatten, isObject, parseJson, type Flat } from '../json.ts'
import { readParts } from '../json-parts.ts'
import { maxPoints, maxReadColumns, maxRow, maxShownRows, neededRows, type Rows } from './rows.ts'

/** Returns the rows of a JSON array of objects. */
export function readList(text: string, isWhole: boolean): Rows | undefined {
  const taken = new TakenRows()
  const parts = readParts(text)
  let next = parts.next()
  for (; next.done !== true; next = parts.next()) {
    const { text: row, name } = next.value
    if (name !== undefined || !taken.add(row)) return undefined
  }
  return isBroken(text, next.value, isWhole) ? undefined : taken.rows(isWhole)
}

/** Returns the rows of lines with one JSON object each. An empty line is left out. */
export function readLines(text: string, isWhole: boolean): Rows | undefined {
  const taken = new TakenRows()
  // A line without its end may be a part of a line.
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1
  for (const [line] of text.slice(0, end).matchAll(/[^\r\n]*[^\s][^\r\n]*/g)) {
    const row = line.trim()
    if (!taken.add(row) || readObject(row) === undefined) return undefined
  }
  return text.length - end > maxRow ? undefined : taken.rows(isWhole)
}

// The name of a member and the beginning of its array.
const listMember = /^\s*[{,]\s*("(?:[^"\\]|\\.){0,1000}")\s*:\s*(?=\[)/s

/** Returns the rows of an object with exactly one list of rows, as web APIs send it. */
export function readListInObject(text: string, isWhole: boolean): Rows | undefined {
  const lists: Rows[] = []
  const members: [string, Flat][] = []
  const add = (nameText: string, value: string, isWholeValue: boolean) => {
    const name = parseJson(nameText) as string
    const rows = value.startsWith('[') ? readList(value, isWholeValue) : undefined
    if (rows) lists.push({ ...rows, around: { list: name, members } })
    else if (!/^[[{]/.test(value)) members.push([name, parseJson(value) as Flat])
  }
  const parts = readParts(text)
  let next = parts.next()
  let end = 0
  for (; next.done !== true; next = parts.next()) {
    const { text: value, start, name } = next.value
    if (name === undefined) return undefined
    add(name, value, true)
    end = start + value.length
  }
  if (isBroken(text, next.value, isWhole)) return undefined
  const cut = isWhole ? undefined : listMember.exec(text.slice(end))
  if (cut?.[1] !== undefined) add(cut[1], text.slice(end + cut[0].length), false)
  return lists.length === 1 ? lists[0] : undefined
}

// The maximum length of an incomplete escape, number or literal, in UTF-16 units.
const maxCutToken = 8

/** Returns true for a syntax error that is not the end of a text whose end was cut off. */
function isBroken(text: string, fault: number | undefined, isWhole: boolean): boolean {
  return fault !== undefined && (isWhole || fault < text.length - maxCutToken)
}

function readObject(text: string): Map<string, Flat> | undefined {
  const value = parseJson(text)
  if (value === undefined || !isObject(value)) return undefined
  return new Map(Object.entries(value).map(([name, part]) => [name, flatten(part)]))
}

/** Collects the texts of rows. Parses only the rows that are needed. */
class TakenRows {
  readonly #texts: string[] = []
  #count = 0

  /** Returns false if a text cannot be a row. */
  add(text: string): boolean {
    if (this.#count++ < maxPoints) this.#texts.push(text)
    return text.startsWith('{') && text.length <= maxRow
  }

  /** Returns undefined if there is no row. */
  rows(isWhole: boolean): Rows | undefined {
    const needed = this.#texts.slice(0, neededRows(this.#count, isWhole))
    const objects = needed.flatMap((text) => readObject(text) ?? [])
    const shown = objects.slice(0, maxShownRows)
    const names = [...new Set(shown.flatMap((row) => [...row.keys()]))]
    const isRead = objects.length === needed.length && names.length <= maxReadColumns
    if (objects.length === 0 || !isRead) return undefined
    const first = objects.map((row) => names.map((name) => row.get(name)))
    return { columns: names, first, count: isWhole ? this.#count : undefined }
  }
}
