/** Shows the lines of a step's log in a terminal as GitHub's page does. */
const colours: Readonly<Record<string, string>> = { error: '31', warning: '33', notice: '36' }

/**
 * Returns a function that takes the lines of a log in order and returns each as GitHub shows it: lines
 * of a group are indented, and annotations begin with their level. The function returns undefined for
 * the end of a group, and for the commands that switch commands off and on.
 */
export function showLines(): (line: string) => string | undefined {
  let indent = ''
  return (line) => {
    const [, command = '', text = ''] = /^##\[(\w+)\](.*)$/s.exec(line) ?? []
    if (command === 'group') {
      indent = '  '
      return `▼ ${text}`
    }
    if (command === 'endgroup') {
      indent = ''
      return undefined
    }
    if (/^::(?:stop-commands::.*|\*\*\*::)$/.test(line)) return undefined
    const colour = colours[command]
    if (colour === undefined) return indent + line
    const level = command.charAt(0).toUpperCase() + command.slice(1)
    return `${indent}\u001b[${colour}m${level}:\u001b[0m ${text}`
  }
}
