/** Prints nothing and returns nothing. */
import type { Automation } from '../service/automation.ts'

const quiet: Automation<unknown> = () => null

export default quiet
