import type { JobRecord } from './record.ts'
import type { CheckResult } from './check-jobs.ts'

/** The step that hands the sandbox's credentials over, before any action could have masked them. */
const source = 'sandbox'

/** Checks that no step's log shows a credential. */
export function checkSecrets(jobs: Iterable<JobRecord>, credentials: string[]): CheckResult {
  const result: CheckResult = { passed: [], problems: [] }
  let count = 0
  for (const job of jobs) {
    for (const [id, { lines }] of job.steps) {
      if (id === source) continue
      count += lines.length
      if (!lines.some((line) => credentials.some((value) => line.includes(value)))) continue
      result.problems.push(`${job.name} / ${id}: its log shows a credential`)
    }
  }
  result.passed.push(`no credential in ${count} lines of log`)
  return result
}
