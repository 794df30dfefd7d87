/** Skips tests that send signals on Windows, where a signal ends the process at once. */
import { describe, it } from '@jest/globals'

const isPossible = process.platform !== 'win32'
export const itWithSignals = isPossible ? it : it.skip
export const describeWithSignals = isPossible ? describe : describe.skip
