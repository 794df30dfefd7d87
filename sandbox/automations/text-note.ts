/** Returns a text. Seed: `{ "text": "…" }`. */
import type { Automation } from '../service/automation.ts'

const textNote: Automation<{ text?: string }> = ({
  text = 'All 12 feeds were read.\nNothing new since yesterday.\n',
}) => {
  console.log(`writing ${text.length} characters`)
  return text
}

export default textNote
