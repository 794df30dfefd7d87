/** A log's lines as their writer meant them: without colours and the prefixes of log shippers. */
export interface LogLine {
  /** The text behind timestamp and level; its indentation is kept. */
  text: string
  /** The same with its level, which is a telling word. */
  levelled: string
}

// More than any traceback needs; it bounds the work on a log of any size or shape.
const mostCharacters = 1024 * 1024
const longestLine = 2_000

const escape = String.fromCharCode(0x1b)
const colour = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')
const timestamp =
  /^\s?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: [-|:])?(?: |$)/
const bracketedLevel =
  /^\[(?:trace|debug|info|notice|warn|warning|error|critical|fatal)\](?: ?[-|:])?(?: |$)/i
// In capitals only: `Error: boom` is the message itself.
const bareLevel =
  /^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)(?: ?[-|:])?(?: |$)/

/** The last lines of a log, oldest first. */
export function readLogLines(log: string): LogLine[] {
  return log
    .slice(-mostCharacters)
    .split(/\r\n|\n|\r/)
    .map(readLine)
}

function readLine(line: string): LogLine {
  const levelled = line.slice(0, longestLine).replace(colour, '').replace(timestamp, '')
  return { levelled, text: levelled.replace(bracketedLevel, '').replace(bareLevel, '') }
}
