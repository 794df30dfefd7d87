/** Is killed while its file is loaded, like a container that runs out of memory. */
import process from 'node:process'
import type { Automation } from '../service/automation.ts'

console.log('loading 48 models')
process.kill(process.pid, 'SIGKILL')

const neverRun: Automation<unknown> = () => null

export default neverRun
