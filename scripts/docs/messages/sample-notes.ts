/** Sample values for each warning and notice. */
import type { NoteName, NoteValues } from '../../../src/messages/catalogue.ts'
import { whyNotSet } from '../../../src/messages/describe-commit-status.ts'
import { HttpError } from '../../../src/service/service-errors.ts'
import { waitAction } from '../../../src/version.ts'
import { full } from './sample-failures.ts'

const run = { attempt: '1', id: '3fa85f64-5717' }

const refusal = new HttpError({
  status: 403,
  words: 'Resource not accessible by integration',
})

export const noteSamples: { [Name in NoteName]: NoteValues<Name> } = {
  'certificates-not-checked': {},
  'rerun-record-unreadable': { why: 'the cache did not finish within 30 s' },
  'rerun-start-unknown': { attempt: '1' },
  'batch-starts-unknown': { attempt: '1', runs: '3 runs' },
  'rerun-not-found': run,
  'batch-run-not-found': { run: 'Run 3 (Bern)', id: run.id },
  'batch-shared-execution': { run: 'Run 3 (Bern)', other: 'Run 1 (Bern)', id: run.id },
  'batch-same-execution': { run: 'Run 3 (Bern)', id: run.id },
  'rerun-not-learned': { ...run, why: 'the service answered 503' },
  'output-not-set': { name: 'conclusion', why: full },
  'not-fetched': { what: 'result', why: 'the store answered 404', wait: waitAction },
  'not-kept': { what: 'result' },
  'not-finished': { what: 'result', wait: waitAction },
  'batch-failures-pass': { subject: 'word-report', count: '2', runs: '50 runs' },
  'may-be-doubled': {},
  'artifact-unsupported': { why: 'this runner offers no artifact service', rest: '' },
  'artifact-failed': { why: 'the artifact service results.example answered 403', rest: '' },
  'summary-not-written': { why: full },
  'summary-file-not-written': { why: full },
  'commit-status-not-set': {
    context: 'automation/daily_report',
    why: whyNotSet(refusal),
  },
}
