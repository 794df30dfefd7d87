/** Rows that a result has, and how many of them are read. */
import type { Flat } from '../json.ts'

export interface Rows {
  columns: readonly string[]
  /**
   * The first rows, enough for the table and the chart. Each row has its cells in the order of
   * `columns`. A cell is undefined if the row does not have it. Names and cells may contain secrets.
   */
  first: readonly (readonly (Flat | undefined)[])[]
  /** The number of all rows. Undefined if only the beginning of the file was read. */
  count: number | undefined
  /** The object that has the list as a member. Undefined if there is no such object. */
  around?: { list: string; members: readonly (readonly [name: string, value: Flat])[] }
}

/** The maximum size of a file that is read to its end, in bytes. */
export const maxWhole = 8 * 2 ** 20
/** How much is read of a larger file, in bytes. */
export const maxBeginning = 2 ** 20
export const maxShownRows = 50
/** The maximum number of rows in a chart. It is enough for each day of a year. */
export const maxPoints = 366
/** The maximum length of a row in UTF-16 units. A longer row may have a quote that never closes. */
export const maxRow = 2 ** 19
/** The maximum number of columns that are read. */
export const maxReadColumns = 1_000
