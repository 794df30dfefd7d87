/** Reads CSV and TSV. Loaded only if there is CSV, because the parser is large. */
import Papa from 'papaparse'

export interface CsvRow {
  cells: readonly string[]
  /** The offset of the row's first character. */
  start: number
  /** The offset behind the row and its line break. */
  end: number
  /** Describes a quote that cannot be read. Undefined if there is none. */
  fault: string | undefined
}

/**
 * Calls `take` for each row until `take` returns false, and returns the last answer. The heading is a
 * row too. Empty lines, and rows of empty cells without quotes, are left out. Excel writes such rows.
 */
export function readCsv(text: string, isTsv: boolean, take: (row: CsvRow) => boolean): boolean {
  let last = 0
  let isTaken = true
  Papa.parse<string[]>(text, {
    delimiter: isTsv ? '\t' : findDelimiter(text.slice(0, previewLength)),
    // The fast mode would split the whole text into lines.
    fastMode: false,
    step({ data: cells, errors: [error], meta: { cursor: end } }, parser) {
      const start = last + (/^[\r\n]+/.exec(text.slice(last, end))?.[0].length ?? 0)
      last = end
      const isEmpty = cells.join('').trim() === '' && !text.slice(start, end).includes('"')
      if (!error && isEmpty) return
      isTaken = take({ cells, start, end, fault: error && faults[error.code] })
      if (!isTaken) parser.abort()
    },
  })
  return isTaken
}

const faults: Readonly<Record<string, string>> = {
  MissingQuotes: 'a quote that is never closed',
  InvalidQuotes: 'text after a closing quote (inside a cell, a quote is written "")',
}

// In UTF-16 units.
const previewLength = 2 ** 16

/**
 * Returns the delimiter that divides the heading and gives the other rows as many cells. The parser's
 * own guess takes a comma if one of the rows is too short, and then finds a single column.
 */
function findDelimiter(text: string): string {
  const fits = [',', ';', '\t', '|'].map((delimiter) => {
    const { data } = Papa.parse<string[]>(text, { delimiter, preview: 20, skipEmptyLines: true })
    const width = data[0]?.length ?? 0
    return { delimiter, width, others: data.filter((cells) => cells.length !== width).length }
  })
  const dividing = fits.filter(({ width }) => width > 1)
  const [best] = dividing.sort((one, two) => one.others - two.others || two.width - one.width)
  return best?.delimiter ?? ','
}
