/** A line that a client of the toolkit prints. */

/** A line as printed. */
export type OnLine = (line: string) => void

/** A line with the workflow command that it is: `info` for one that is none. */
export interface ClientLine {
  command: string
  text: string
}

export function readClientLine(line: string): ClientLine {
  const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
  return command === undefined ? { command: 'info', text: line } : { command, text: plain(text) }
}

/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function plain(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}
