import { appendFile } from 'node:fs/promises'

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
    await appendFile(file, markdown, 'utf8')
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
