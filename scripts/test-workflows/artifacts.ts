import { glob, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { unzipSync } from 'fflate'
import type { CheckResult } from './check-jobs.ts'

/** Compares what act's artifact server got with the number expected, and empties its folder. */
export async function checkArtifacts(folder: string, expected: number): Promise<CheckResult> {
  const result: CheckResult = { passed: [], problems: [] }
  let count = 0
  for await (const file of glob('**/*.zip', { cwd: folder })) {
    count += 1
    const names = Object.keys(unzipSync(await readFile(path.join(folder, file))))
    const line = `artifact ${path.basename(file, '.zip')}: ${describe(names)}`
    // Of one run, or of a batch.
    if (names.includes('execution.json') || names.includes('results.jsonl'))
      result.passed.push(line)
    else result.problems.push(`${line}; execution.json or results.jsonl is missing`)
  }
  if (count !== expected) result.problems.push(`${count} artifacts were uploaded, not ${expected}`)
  await rm(folder, { recursive: true, force: true })
  return result
}

const namesShown = 20

function describe(names: readonly string[]): string {
  const rest = names.length - namesShown
  return `${names.slice(0, namesShown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
