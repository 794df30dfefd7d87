import type { JobRecord } from './record.ts'
import type { Verdict } from './verdict.ts'

/** The step that hands the sandbox's credentials over, before any action could have masked them. */
const source = 'sandbox'

/** Holds that no step's log shows a credential. */
export function judgeSecrets(jobs: Iterable<JobRecord>, credentials: string[]): Verdict {
  const verdict: Verdict = { proofs: [], problems: [] }
  let count = 0
  for (const job of jobs) {
    for (const [id, { lines }] of job.steps) {
      if (id === source) continue
      count += lines.length
      if (!lines.some((line) => credentials.some((value) => line.includes(value)))) continue
      verdict.problems.push(`${job.name} / ${id}: its log shows a credential`)
    }
  }
  verdict.proofs.push(`no credential in ${count} lines of log`)
  return verdict
}
