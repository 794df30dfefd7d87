/** Reads the rows of a result. The form of the text follows from its content type and its name. */
import { numberOrText } from '../json.ts'
import { readLines, readList, readListInObject } from './json-rows.ts'
import { maxReadColumns, maxRow, maxPoints, neededRows, type Rows } from './rows.ts'

export type Form = 'json' | 'json-lines' | 'csv' | 'tsv'

const forms: readonly [Form, types: RegExp, names: RegExp][] = [
  ['json', /[/+]json$/i, /\.(?:geo)?json$/i],
  [
    'json-lines',
    /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/i,
    /\.(?:jsonl|ndjson)$/i,
  ],
  ['csv', /^(?:text|application)\/(?:x-)?csv$/i, /\.csv$/i],
  ['tsv', /^text\/(?:tsv|tab-separated-values)$/i, /\.tsv$/i],
]

/** Returns the form of a result. The content type comes before the name of the file. */
export function formOf(mediaType: string, name: string): Form | undefined {
  const byType = forms.find(([, types]) => types.test(mediaType))
  return (byType ?? forms.find(([, , names]) => names.test(name)))?.[0]
}

/**
 * Returns the rows of a text, or undefined if the text cannot be read as rows. If `isWhole` is false,
 * the text is the beginning of a file.
 */
export async function readRows(
  text: string,
  form: Form,
  isWhole: boolean,
): Promise<Rows | undefined> {
  const source = text.replace(/^\ufeff/, '')
  if (form === 'csv' || form === 'tsv') return await readTable(source, form, isWhole)
  if (form === 'json-lines') return readLines(source, isWhole)
  const rows = readList(source, isWhole) ?? readListInObject(source, isWhole)
  if (rows) return rows
  // Some programs send JSON Lines as JSON. One line is an object, and no row.
  const lines = readLines(source, isWhole)
  return lines?.count === 1 ? undefined : lines
}

async function readTable(
  text: string,
  form: 'csv' | 'tsv',
  isWhole: boolean,
): Promise<Rows | undefined> {
  const { readCsv } = await import('../csv.ts')
  const kept: (readonly string[])[] = []
  let columns: readonly string[] | undefined
  let count = 0
  const delimiter = form === 'tsv' ? '\t' : undefined
  const isRead = readCsv(text, delimiter, ({ cells, start, end, fault }) => {
    if (end - start > maxRow || cells.length > maxReadColumns) return false
    // The last row of a beginning may be a part of a row.
    if (!isWhole && end === text.length) return true
    if (columns && count++ < maxPoints) kept.push(cells)
    columns ??= cells
    return fault === undefined && cells.length === columns.length
  })
  if (!isRead || count === 0 || !columns) return undefined
  const first = kept.slice(0, neededRows(count, isWhole)).map((cells) => cells.map(numberOrText))
  return { columns, first, count: isWhole ? count : undefined }
}
