/** Warnings and notices as people see them: for each, what it can be filled in with. */
import type { NoteName, NoteValues } from '../../../src/messages/catalogue.ts'
import { explainStatusProblem, type StatusProblem } from '../../../src/messages/commit-status.ts'
import { noCache } from '../../../src/messages/memory.ts'
import { waitAction } from '../../../src/version.ts'

export type NoteSamples = { [Name in NoteName]: readonly NoteValues<Name>[] }

const wait = waitAction
const attempt = '1'
const full = 'no space left on disk (ENOSPC)'
const rest = ' The files are in /home/runner/work/_temp/run-automation-Kx2f9Q.'

const statusProblems: readonly StatusProblem[] = [
  { kind: 'refused', status: 403, words: 'Resource not accessible by integration' },
  { kind: 'refused', status: 404, words: 'Not Found' },
  { kind: 'refused', status: 401, words: 'Bad credentials' },
  { kind: 'refused', status: 422, words: 'No commit found for SHA' },
  { kind: 'refused', status: 502, words: 'Bad Gateway' },
  { kind: 'limited', status: 429, words: 'API rate limit exceeded' },
  { kind: 'unreached', why: 'getaddrinfo ENOTFOUND api.github.com' },
  { kind: 'late', limit: 10_000 },
  { kind: 'no-commit', event: 'workflow_dispatch' },
  { kind: 'no-token' },
  { kind: 'no-repository' },
  { kind: 'no-address' },
]

export const noteSamples: NoteSamples = {
  'rerun-memory-unreadable': [{ why: 'the cache did not finish within 30 s' }, { why: noCache }],
  'rerun-start-unknown': [{ attempt }],
  'batch-starts-unknown': [{ attempt, runs: '3 runs' }],
  'rerun-not-found': [{ attempt, id: '3fa85f64-5717' }],
  'batch-run-not-found': [{ run: 'Run 3 (Bern)', id: '3fa85f64-5717' }],
  'rerun-not-learned': [{ attempt, id: '3fa85f64-5717', why: 'the service answered 503' }],
  'short-secret': [{ input: 'api-key' }],
  'output-not-set': [{ name: 'conclusion', why: full }],
  'service-in-trouble': [
    { why: 'the service answered 503: Service Unavailable' },
    { why: 'the service answered 429: Request was throttled' },
    { why: 'automations.example.com: connect ECONNREFUSED 192.0.2.7:443' },
  ],
  'not-fetched': [
    { what: 'result', why: 'the store answered 404', wait },
    { what: 'log', why: 'the store sent nothing for 30 s', wait },
  ],
  'unknown-encoding': [{ what: 'result', encoding: 'compress' }],
  'not-kept': [{ what: 'result and log' }, { what: 'result' }, { what: 'log' }],
  'not-finished': [{ what: 'result and log', wait }],
  'nothing-to-copy': [{ input: 'result-file', target: 'out/result.csv' }],
  'copy-not-written': [{ input: 'log-file', why: `out/run.log: ${full}` }],
  'no-seeds': [{ list: 'seeds-file' }],
  'invalid-result-passes': [{}],
  'label-not-found': [{ label: '"town"' }],
  'may-be-doubled': [{ count: '12', runs: '50 runs' }],
  'artifact-unsupported': [
    { why: 'this runner offers no artifact service', rest },
    { why: 'GitHub Enterprise Server does not support this kind of artifact', rest },
  ],
  'artifact-failed': [
    { why: 'Failed to CreateArtifact: Failed to make request after 5 attempts', rest },
    { why: 'the artifact service gave no id for it', rest },
  ],
  'summary-not-written': [{ why: full }],
  'summary-file-not-written': [{ why: full }],
  'commit-status-not-set': statusProblems.map((problem) => ({
    context: 'automation/daily_report',
    ...explainStatusProblem(problem, {
      repository: 'octo/reports',
      apiUrl: 'https://api.github.com',
    }),
  })),
}
