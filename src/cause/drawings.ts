/** Writes tracebacks that a library draws in its own way as CPython writes them. */

/**
 * Removes the lines of a drawn box. The title becomes a heading. A line of rich or IPython with a file
 * and a number becomes a frame.
 */
export function undraw(line: string): string {
  const sign = line.trimStart().slice(0, 1)
  if (!/[╭┌┏╔╰└┗╚│┃║]/.test(sign) || !/[╮┐┓╗╯┘┛╝│┃║]$/.test(line)) return rewriteIPython(line)
  const indent = line.slice(0, line.indexOf(sign))
  const content = line
    .slice(indent.length + 1, -1)
    .replace(/[─━═]/g, '')
    .trim()
  if (/[╭┌┏╔]/.test(sign) && content !== '') {
    return `${indent}${content}:`
  }
  const [, file, number] = /^((?:\/|[A-Za-z]:\\)[^:]{1,500}):(\d{1,9}) in /.exec(content) ?? []
  if (file !== undefined) return `${indent}  File "${file}", line ${number}`
  return content === '' ? '' : `${indent}    ${content}`
}

/** Writes a frame and the code of IPython as CPython does. */
function rewriteIPython(line: string): string {
  const [, cell, file = cell, number] =
    /^(?:(Cell In ?\[\d+\]), line |File ([^\s"].{0,500}):)(\d{1,9})(?:, in .*)?$/.exec(line) ?? []
  if (file !== undefined) return `  File "${file}", line ${number}`
  return line.replace(/^-{1,9}> \d{1,9} /, '    ')
}
