/** Prints its seed and returns the seed unchanged. */
import type { Automation } from '../service/automation.ts'

const echo: Automation<unknown> = (seed, { seedText }) => {
  const body = seedText ?? JSON.stringify(seed)
  console.log(body)
  return { contentType: 'application/json', body }
}

export default echo
