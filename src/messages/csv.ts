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
 * row too. Empty lines are left out. A delimiter that is not given is found out from the first rows.
 */
export function readCsv(
  text: string,
  delimiter: '\t' | undefined,
  take: (row: CsvRow) => boolean,
): boolean {
  let last = 0
  let isTaken = true
  Papa.parse<string[]>(text, {
    delimiter: delimiter ?? '',
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: true,
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
