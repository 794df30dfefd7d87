/** Is killed while it is loaded, as a container does that runs out of memory: no traceback, no answer. */
import process from 'node:process'
import type { Automation } from '../service/automation.ts'

console.log('loading 48 models')
process.kill(process.pid, 'SIGKILL')

const neverRun: Automation<unknown> = () => null

export default neverRun
