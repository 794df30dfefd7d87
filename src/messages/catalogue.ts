/** Lists all annotations that the action can write. */
import { troubleshootingPage } from '../version.ts'
import { unpunctuated } from './text/untrusted-text.ts'

/**
 * A text in which a value replaces each `{…}`, and the anchor of the entry in docs/troubleshooting.md
 * that explains the annotation. A note without a level is a warning.
 */
type Message = readonly [text: string, help: string, level?: 'notice']

/** The titles of a run that failed, or that the step could not follow to its end. */
const runTitles = {
  error: ['{subject} failed', 'failed'],
  'container-error': ['{subject} died', 'died'],
  stopped: ['{subject} was stopped', 'was-stopped'],
  'invalid-result': ['{subject} returned an invalid result', 'returned-an-invalid-result'],
  'not-validated': ['The result of {subject} was not validated', 'was-not-validated'],
  'timed-out': ['{subject} timed out', 'timed-out'],
  'not-finished-yet': ['{subject} has not finished yet', 'timed-out'],
  cancelled: ['{subject}: this step was cancelled', 'this-step-was-cancelled'],
  'not-started': ['{subject} was not started', 'was-not-started'],
  'unknown-start': ['{subject} may or may not have started', 'may-or-may-not-have-started'],
  'no-longer-watched': ['{subject} can no longer be watched', 'can-no-longer-be-watched'],
  'not-found': ['{subject} was not found', 'was-not-found'],
  'result-not-fetched': [
    '{subject} succeeded, but its result is missing',
    'succeeded-but-its-result-is-missing',
  ],
  'outputs-not-written': [
    '{subject} has finished, but the outputs could not be written',
    'the-outputs-could-not-be-written',
  ],
} as const satisfies Record<string, Message>

/** The titles of errors. A step that fails writes exactly one error. */
export const titles = {
  ...runTitles,
  // How a batch of runs failed.
  'batch-failed': ['{subject}: {count} of {runs} failed{others}', 'runs-failed'],
  'batch-unknown': [
    '{subject}: the outcome of {count} of {runs} is unknown{others}',
    'the-outcome-of-runs-is-unknown',
  ],
  'batch-unfinished': [
    '{subject}: {count} of {runs} did not finish in time{others}',
    'runs-did-not-finish-in-time',
  ],
  'batch-not-started': ['{subject}: {count} of {runs} not started{others}', 'runs-not-started'],
  'batch-results-missing': [
    '{subject}: the result of {count} of {runs} is missing{others}',
    'the-result-of-runs-is-missing',
  ],
  'batch-cancelled': ['{subject}: this step was cancelled ({counts})', 'this-step-was-cancelled'],
  // How the creation of a project failed.
  'project-not-created': ['Project {name} was not created', 'project-was-not-created'],
  'project-unknown': [
    'Project {name} may or may not have been created',
    'project-may-or-may-not-have-been-created',
  ],
  'project-exists': ['Project {name} exists already', 'project-exists-already'],
  // Errors that any step can have.
  'input-wrong': ['Invalid input{of}', 'invalid-input'],
  'proxy-unusable': [
    'The proxy of this runner is not usable',
    'the-proxy-of-this-runner-is-not-usable',
  ],
  'no-outputs': ['The outputs could not be written', 'the-outputs-could-not-be-written'],
  'not-writable': ['This step cannot write its files', 'this-step-cannot-write-its-files'],
  'cut-short': ['The step was cancelled', 'the-step-was-cancelled'],
  bug: ['A bug in this action, not in your workflow', 'a-bug-in-this-action'],
} as const satisfies Record<string, Message>

/** Warnings and notices. They do not decide whether the step fails. */
export const notes = {
  'certificates-not-checked': [
    'Certificates are not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0: api-token and api-key go to any server that answers. Remove this variable.',
    'certificates-are-not-checked',
  ],
  // Messages about the record that an earlier attempt of the job saved.
  'rerun-record-unreadable': [
    'The record of an earlier attempt of this job could not be read: {why}. This step ignores earlier runs and starts new ones. A run of the earlier attempt may still be running.',
    'the-record-of-an-earlier-attempt-could-not-be-read',
  ],
  'rerun-start-unknown': [
    'Attempt {attempt} of this job may or may not have started a run: the service gave no clear answer. This step starts a new run. There may be two runs now.',
    'attempt-may-or-may-not-have-started',
  ],
  'batch-starts-unknown': [
    'Attempt {attempt} of this job may or may not have started {runs}: the service gave no clear answer. This step starts new runs of the same seeds. Some seeds may run twice.',
    'attempt-may-or-may-not-have-started',
  ],
  'rerun-not-found': [
    'For 30 s the service did not know execution {id} of attempt {attempt}. This step starts a new run.',
    'the-service-did-not-know-execution',
  ],
  'batch-run-not-found': [
    '{run}: for 30 s the service did not know execution {id} of an earlier attempt. This step starts a new run.',
    'the-service-did-not-know-execution',
  ],
  'batch-shared-execution': [
    '{run}: the service answered the start with execution {id}, which {other} already has. Their seeds are equal, so both runs have the same result.',
    'answered-the-start-with-execution',
    'notice',
  ],
  'batch-same-execution': [
    '{run}: the service answered the start with execution {id}, which this run already had. So the service may have started nothing new.',
    'answered-the-start-with-execution',
    'notice',
  ],
  'rerun-not-learned': [
    'Execution {id} of attempt {attempt} may still be running: no status check got a proper answer in 32 s ({why}). This step outputs the id of that execution and starts nothing.',
    'may-still-be-running',
  ],
  'output-not-set': [
    'The output {name} was not set: {why}. The step does the rest of its work, and then fails.',
    'the-outputs-could-not-be-written',
  ],
  'not-fetched': [
    'The {what} could not be fetched: {why}. Fetch it with {wait} and the id of this execution while the store keeps it.',
    'could-not-be-fetched',
  ],
  'not-kept': [
    "The service has no {what} any more, or the automation isn't set to keep it, so there is nothing to publish. In the service's dashboard, set the automation to keep it.",
    'the-automation-isnt-set-to-keep',
    'notice',
  ],
  'not-finished': [
    'The service has not finished the run yet, so there is no {what} to publish. Fetch the {what} later with {wait}.',
    'the-service-has-not-finished-the-run-yet',
    'notice',
  ],
  'batch-failures-pass': [
    '{subject}: {count} of {runs} did not succeed, and fail-on lets the step pass.',
    'runs-failed',
  ],
  'may-be-doubled': [
    "Some runs may have been started before, and may run twice now. An earlier attempt of this job did not save its last record. Look for runs of the same seeds in the service's dashboard.",
    'may-have-been-started-before',
  ],
  'artifact-unsupported': [
    'No artifact was uploaded: {why}.{rest}',
    'no-artifact-was-uploaded',
    'notice',
  ],
  'artifact-failed': ['No artifact was uploaded: {why}.{rest}', 'no-artifact-was-uploaded'],
  'summary-not-written': [
    'The job summary was not written: {why}',
    'the-job-summary-was-not-written',
  ],
  'summary-file-not-written': [
    'The output summary-file stays empty: {why}.',
    'the-output-summary-file-stays-empty',
  ],
  'commit-status-not-set': [
    'The commit status {context} was not set: {why}',
    'the-commit-status-was-not-set',
  ],
} as const satisfies Record<string, Message>

export type RunTitle = keyof typeof runTitles
export type TitleName = keyof typeof titles
export type NoteName = keyof typeof notes

/** The anchor of an entry in docs/troubleshooting.md. */
export type Entry = (typeof titles)[TitleName][1] | (typeof notes)[NoteName][1]

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The values that replace the `{…}` in a text, by name. */
type Values<Text extends string> = Readonly<Record<NamesIn<Text>, string>>
type TitleValues<Name extends TitleName> = Values<(typeof titles)[Name][0]>
export type NoteValues<Name extends NoteName> = Values<(typeof notes)[Name][0]>

/** The name of an error in this catalogue, and its title with all values. */
export interface Heading {
  name: TitleName
  title: string
}

export function headingOf<Name extends TitleName>(name: Name, values: TitleValues<Name>): Heading {
  return { name, title: fill(titles[name][0], values) }
}

/** Returns the last line of every annotation: the address of its troubleshooting entry. */
export function helpLine(entry: Entry): string {
  return `Help: ${helpAddress(entry)}`
}

export function helpAddress(entry: Entry): string {
  return `${troubleshootingPage}#${entry}`
}

export function levelOf(name: NoteName): 'warning' | 'notice' {
  const [, , level]: Message = notes[name]
  return level ?? 'warning'
}

/** Fills the values into the text of a warning or notice. */
export function noteText<Name extends NoteName>(name: Name, values: NoteValues<Name>): string {
  return fill(notes[name][0], values)
}

/**
 * Replaces each `{…}` in a text by a value. All `{…}` are replaced in one pass, so that braces in a
 * value stay unchanged. If a full stop follows `{…}`, the value's own full stop is removed.
 */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const value = values[name] ?? ''
    return stop === '' ? value : unpunctuated(value) + stop
  })
}
