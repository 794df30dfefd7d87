import { constants, open } from 'node:fs/promises'
import { describeFileProblem } from '../messages/file-problem.ts'

// Opening a pipe that nobody reads would hold the step for ever without O_NONBLOCK, which Windows
// leaves undefined.
const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = constants
const appending = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK

/**
 * Adds to the step's summary file (`GITHUB_STEP_SUMMARY`). Never throws: a summary changes no
 * verdict. Returns the problem, or undefined when it was written.
 */
export async function writeSummary(
  markdown: string,
  file: string | undefined,
): Promise<string | undefined> {
  if (!file) return 'this runner offers no job summary (GITHUB_STEP_SUMMARY is not set)'
  try {
    await using opened = await open(file, appending)
    await opened.writeFile(markdown, 'utf8')
    return undefined
  } catch (error) {
    return `the runner's file for it (GITHUB_STEP_SUMMARY) cannot be written: ${describeFileProblem(error)}`
  }
}
