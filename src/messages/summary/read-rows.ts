/** Reads the rows of a result. The form of the text follows from its content type and its name. */
import { numberOrText } from '../json.ts'
import { readLines, readList, readListInObject } from './json-rows.ts'
import { maxPoints, maxReadColumns, maxRow, type Rows } from './rows.ts'

export type Form = 'json' | 'json-lines' | 'csv' | 'tsv'

/** The ends of content types and of names. */
const forms: readonly (readonly [Form, RegExp])[] = [
  ['json', /(?:[/+]|\.(?:geo)?)json$/i],
  ['json-lines', /[/.](?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$/i],
  ['csv', /[/.](?:x-)?csv$/i],
  ['tsv', /[/.](?:tsv|tab-separated-values)$/i],
]

/** Returns the form of a result. The content type comes before the name of the file. */
export function formOf(mediaType: string, name: string): Form | undefined {
  const find = (text: string) => forms.find(([, pattern]) => pattern.test(text))?.[0]
  return find(mediaType) ?? find(name)
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
  if (form === 'csv' || form === 'tsv') return await readTable(source, form === 'tsv', isWhole)
  const lines = () => readLines(source, isWhole)
  if (form === 'json-lines') return lines()
  const rows = readList(source, isWhole) ?? readListInObject(source, isWhole) ?? lines()
  // Some programs send JSON Lines as JSON. One line is an object, and no row.
  return rows?.count === 1 && source.trimStart().startsWith('{') && !rows.around ? undefined : rows
}

async function readTable(text: string, isTsv: boolean, isWhole: boolean) {
  const { readCsv } = await import('../csv.ts')
  const first: ReturnType<typeof numberOrText>[][] = []
  let columns: readonly string[] | undefined
  let count = 0
  const isRead = readCsv(text, isTsv, ({ cells, start, end, fault }) => {
    if (end - start > maxRow || cells.length > maxReadColumns) return false
    // The last row of a beginning may be a part of a row.
    if (!isWhole && end === text.length) return true
    if (columns && count++ < maxPoints) first.push(cells.map(numberOrText))
    columns ??= cells
    return fault === undefined && cells.length === columns.length
  })
  if (!isRead || count === 0 || !columns) return undefined
  return { columns, first, count: isWhole ? count : undefined }
}
