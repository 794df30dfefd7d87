/** Reads CSV and TSV. Loaded only if there is CSV, because the parser is large. */
import Papa from 'papaparse'

export interface CsvRow {
  cells: readonly string[]
  /** The offset of the row's first character. */
  start: number
  /** The offset behind the row and its line break. */
  end: number
  fault: 'open-quote' | 'text-after-quote' | undefined
}

/**
 * Calls `take` for each row until `take` returns false, and returns the last answer. The heading is a
 * row too. Empty lines are left out. Without a delimiter, the one that fits best is used.
 */
export function readCsv(
  text: string,
  delimiter: '\t' | undefined,
  take: (row: CsvRow) => boolean,
): boolean {
  let last = 0
  let isTaken = true
  Papa.parse<string[]>(text, {
    delimiter: delimiter ?? findDelimiter(text.slice(0, previewLength)),
    skipEmptyLines: true,
    // The fast mode would split the whole text into lines.
    fastMode: false,
    step({ data: cells, errors, meta: { cursor: end } }, parser) {
      let start = last
      while (text[start] === '\n' || text[start] === '\r') start++
      last = end
      const codes = errors.map(({ code }) => code)
      const isAfterQuote = codes.includes('InvalidQuotes')
      const isOpen = codes.includes('MissingQuotes')
      const fault = isAfterQuote ? 'text-after-quote' : isOpen ? 'open-quote' : undefined
      isTaken = take({ cells, start, end, fault })
      if (!isTaken) parser.abort()
    },
  })
  return isTaken
}

const previewLength = 2 ** 16
const previewRows = 20

/**
 * Returns the delimiter that divides the heading and gives the other rows as many cells. The parser's
 * own guess takes a comma if one of the rows is too short, and then finds a single column.
 */
function findDelimiter(text: string): string {
  const fits = [',', ';', '\t', '|'].map((delimiter) => {
    const options = { delimiter, preview: previewRows, skipEmptyLines: true }
    const widths = Papa.parse<string[]>(text, options).data.map((cells) => cells.length)
    const [width = 0] = widths
    return { delimiter, width, others: widths.filter((other) => other !== width).length }
  })
  const dividing = fits.filter(({ width }) => width > 1)
  const [best] = dividing.sort((one, two) => one.others - two.others || two.width - one.width)
  return best?.delimiter ?? ','
}
