/** Finds rows in JSON and in JSON Lines. The texts may be the beginnings of longer texts. */
import { isObject, parseJson, toFlat, type Flat } from '../json.ts'
import { readParts, type JsonPart } from '../json-parts.ts'
import { maxPoints, maxReadColumns, maxRow, maxShownRows, type Rows } from './rows.ts'

/** Returns the rows of a JSON array of objects. */
export function readList(text: string, isWhole: boolean): Rows | undefined {
  const taken = new TakenRows()
  const take = ({ text: row, name }: JsonPart) => name === undefined && taken.add(row)
  return takeParts(text, isWhole, take) ? taken.rows(isWhole) : undefined
}

/** Returns the rows of lines with one JSON object each. Empty lines are left out. */
export function readLines(text: string, isWhole: boolean): Rows | undefined {
  const taken = new TakenRows()
  // A line without its end may be a part of a line.
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1
  for (const [line] of text.slice(0, end).matchAll(/[^\r\n]*\S[^\r\n]*/g)) {
    const row = line.trim()
    if (!taken.add(row) || !takeParts(row, true, () => true)) return undefined
  }
  return text.length - end > maxRow ? undefined : taken.rows(isWhole)
}

// The name of a member and the beginning of its array.
const listMember = /^\s*[{,]\s*("(?:[^"\\]|\\.){0,1000}")\s*:\s*(?=\[)/s

/** Returns the rows of an object with exactly one list of rows, as web APIs send it. */
export function readListInObject(text: string, isWhole: boolean): Rows | undefined {
  const lists: Rows[] = []
  const members: [string, Flat][] = []
  const add = (nameText: string, value: string, isWholeValue = true) => {
    const name = parseJson(nameText) as string
    const rows = readList(value, isWholeValue)
    if (rows) lists.push({ ...rows, around: { list: name, members } })
    else if (!/^[[{]/.test(value)) members.push([name, parseJson(value) as Flat])
  }
  let end = 0
  const isRead = takeParts(text, isWhole, ({ text: value, start, name }) => {
    end = start + value.length
    if (name !== undefined) add(name, value)
    return name !== undefined
  })
  const [cut, name] = (isWhole ? null : listMember.exec(text.slice(end))) ?? []
  if (cut !== undefined && name !== undefined) add(name, text.slice(end + cut.length), false)
  return isRead && lists.length === 1 ? lists[0] : undefined
}

// The maximum length of an incomplete escape, number or literal, in UTF-16 units.
const maxCutToken = 8

/** Returns false if a part is not taken, or if the text has an error before the place of its cut. */
function takeParts(text: string, isWhole: boolean, take: (part: JsonPart) => boolean): boolean {
  const fault = readParts(text, take)
  return fault === undefined || (!isWhole && fault >= text.length - maxCutToken)
}

/** Counts rows, and keeps the first rows. */
class TakenRows {
  readonly #first: Map<string, Flat>[] = []
  #count = 0

  /** Returns false if a text is no row. Only the first rows are parsed. */
  add(text: string): boolean {
    if (!text.startsWith('{') || text.length > maxRow) return false
    if (this.#count++ >= maxPoints) return true
    const value = parseJson(text)
    if (value === undefined || !isObject(value)) return false
    this.#first.push(new Map(Object.entries(value).map(([name, part]) => [name, toFlat(part)])))
    return true
  }

  /** Returns undefined if there are no rows, or too many columns. */
  rows(isWhole: boolean): Rows | undefined {
    const shown = this.#first.slice(0, maxShownRows)
    const columns = [...new Set(shown.flatMap((row) => [...row.keys()]))]
    if (this.#count === 0 || columns.length > maxReadColumns) return undefined
    const first = this.#first.map((row) => columns.map((name) => row.get(name)))
    return { columns, first, count: isWhole ? this.#count : undefined }
  }
}
