/** Shows the lines of a step's log in a terminal as GitHub's page does. */
const colours: Readonly<Record<string, string>> = { error: '31', warning: '33', notice: '36' }

/** The address of an artifact's page, in the repository of the small runner. */
export const artifactPage = /https:\/\/github\.com\/owner\/repo\/actions\/runs\/\d+\/artifacts\/\d+/

/**
 * Returns a function that takes the lines of a log in order and returns each as GitHub shows it: lines
 * of a group are indented, and annotations begin with their level. The function returns undefined for
 * the end of a group, and for the commands that switch commands off and on. `artifacts` is the folder
 * that has the artifacts, which were not sent to GitHub.
 */
export function showLines(artifacts: string): (line: string) => string | undefined {
  let indent = ''
  return (given) => {
    const line = given.replace(artifactPage, artifacts)
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
