/**
 * A log as a terminal leaves it: a carriage return goes back to the line's beginning, and what is
 * printed then stands over what was there. Of a progress bar, its last state is left.
 */
const escape = String.fromCharCode(0x1b)
// "Erase to the end of the line" and "erase the line", which progress bars use.
const eraseRest = new RegExp(`${escape}\\[0?K`)
const eraseLine = new RegExp(`^.*${escape}\\[2K`, 's')
const sequence = new RegExp(`${escape}\\[[0-?]*[ -/]*[@-~]`, 'g')

export function asTerminalShows(log: string): string {
  if (!log.includes('\r')) return log
  return log.split('\n').map(lastState).join('\n')
}

function lastState(line: string): string {
  if (!line.includes('\r')) return line
  const states = line.split('\r').toReversed()
  let shown = ''
  let width = 0
  for (const state of states) {
    const kept = state.replace(eraseLine, '')
    shown += unseen(kept, width)
    width = Math.max(width, widthOf(kept))
    if (kept !== state || eraseRest.test(state)) break
  }
  return shown
}

/** What of an older state is still seen to the right of a newer one. */
function unseen(state: string, width: number): string {
  if (width === 0) return state
  // Its colours may begin under the newer text.
  const plain = state.replace(sequence, '')
  return plain.length <= width ? '' : Array.from(plain).slice(width).join('')
}

function widthOf(state: string): number {
  return Array.from(state.replace(sequence, '')).length
}
