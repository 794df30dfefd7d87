/** Returns its seed, character for character, and prints it. */
import type { Automation } from '../service/automation.ts'

const echo: Automation<unknown> = (seed, { seedText }) => {
  const body = seedText ?? JSON.stringify(seed)
  console.log(body)
  return { contentType: 'application/json', body }
}

export default echo
