/**
 * Where docs/troubleshooting.md explains each annotation: the anchor of the entry's heading. A test
 * holds page and table to each other; a message without an entry does not compile.
 */
import { troubleshootingPage } from '../version.ts'
import { titled, type NoteName, type TitleName, type TitleValues } from './catalogue.ts'

export const titleEntries = {
  error: 'failed',
  'container-error': 'died',
  stopped: 'was-stopped',
  'timed-out': 'timed-out',
  cancelled: 'this-step-was-cancelled',
  'not-started': 'was-not-started',
  'unknown-start': 'may-or-may-not-have-started',
  'credentials-refused': 'can-no-longer-be-watched',
  'checks-refused': 'can-no-longer-be-watched',
  'not-found': 'was-not-found',
  'result-not-fetched': 'succeeded-but-its-result-is-missing',
  'copy-not-written': 'a-copy-could-not-be-written',
  'outputs-not-written': 'the-outputs-could-not-be-written',
  'batch-failed': 'runs-failed',
  'batch-unknown': 'the-outcome-of-runs-is-unknown',
  'batch-unfinished': 'runs-did-not-finish-in-time',
  'batch-not-started': 'runs-were-not-started',
  'batch-results-missing': 'the-results-of-runs-are-missing',
  'project-not-created': 'project-was-not-created',
  'project-unknown': 'project-may-or-may-not-have-been-created',
  'project-exists': 'project-exists-already',
  'input-wrong': 'an-input-is-wrong',
  'inputs-wrong': 'an-input-is-wrong',
  'proxy-unusable': 'the-proxy-of-this-runner-is-not-usable',
  'no-outputs': 'the-outputs-could-not-be-written',
  'cut-short': 'the-step-was-cancelled',
  bug: 'a-bug-in-this-action',
} as const satisfies Record<TitleName, string>

export const noteEntries = {
  'rerun-memory-unreadable': 'what-an-earlier-attempt-started-could-not-be-read',
  'rerun-start-unknown': 'attempt-may-or-may-not-have-started',
  'batch-starts-unknown': 'attempt-may-or-may-not-have-started',
  'rerun-not-found': 'the-service-did-not-know-execution',
  'batch-run-not-found': 'the-service-did-not-know-execution',
  'rerun-not-learned': 'may-still-be-running',
  'short-secret': 'too-short-for-a-secret',
  'output-not-set': 'the-outputs-could-not-be-written',
  'service-in-trouble': 'the-service-has-not-answered-properly',
  'not-fetched': 'could-not-be-fetched',
  'unknown-encoding': 'in-an-encoding-that-is-not-understood',
  'not-kept': 'the-automation-isnt-set-to-keep',
  'not-finished': 'the-service-has-not-finished-the-run-yet',
  'nothing-to-copy': 'there-is-nothing-to-copy',
  'copy-not-written': 'a-copy-could-not-be-written',
  'no-seeds': 'is-empty-so-nothing-was-started',
  'label-not-found': 'the-runs-are-named-by-their-number-alone',
  'may-be-doubled': 'may-have-been-started-before',
  'artifact-unsupported': 'no-artifact-was-uploaded',
  'artifact-failed': 'no-artifact-was-uploaded',
  'summary-not-written': 'the-job-summary-was-not-written',
  'summary-file-not-written': 'the-output-summary-file-stays-empty',
  'commit-status-not-set': 'the-commit-status-was-not-set',
} as const satisfies Record<NoteName, string>

export type Entry = (typeof titleEntries)[TitleName] | (typeof noteEntries)[NoteName]

/** What an error is called, and the entry that explains it. */
export interface Heading {
  title: string
  entry: Entry
}

export function headingOf<Name extends TitleName>(name: Name, values: TitleValues<Name>): Heading {
  return { title: titled(name, values), entry: titleEntries[name] }
}

/** The last line of every annotation. */
export function helpLine(entry: Entry): string {
  return `Help: ${helpAddress(entry)}`
}

export function helpAddress(entry: Entry): string {
  return `${troubleshootingPage}#${entry}`
}
