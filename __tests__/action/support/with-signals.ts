/** For scenarios that send a signal: on Windows the runner ends the process outright. */
import { describe, it } from '@jest/globals'

const isPossible = process.platform !== 'win32'
export const itWithSignals = isPossible ? it : it.skip
export const describeWithSignals = isPossible ? describe : describe.skip
