/**
 * Lists all annotations that the action can write. `{…}` in a text is replaced by a value. `help`
 * is the anchor of the entry in docs/troubleshooting.md that explains the annotation.
 */
import { troubleshootingPage } from '../version.ts'
import { unpunctuated } from './text/untrusted-text.ts'

interface Message {
  text: string
  help: string
}

/** The titles of a run that failed, or that the step could not follow to its end. */
const runTitles = {
  error: { text: '{subject} failed', help: 'failed' },
  'container-error': { text: '{subject} died', help: 'died' },
  stopped: { text: '{subject} was stopped', help: 'was-stopped' },
  'invalid-result': {
    text: '{subject} returned an invalid result',
    help: 'returned-an-invalid-result',
  },
  'not-validated': {
    text: 'The result of {subject} was not validated',
    help: 'was-not-validated',
  },
  'timed-out': { text: '{subject} timed out', help: 'timed-out' },
  'not-over-yet': { text: '{subject} has not finished yet', help: 'timed-out' },
  cancelled: { text: '{subject}: this step was cancelled', help: 'this-step-was-cancelled' },
  'not-started': { text: '{subject} was not started', help: 'was-not-started' },
  'unknown-start': {
    text: '{subject} may or may not have started',
    help: 'may-or-may-not-have-started',
  },
  'no-longer-watched': {
    text: '{subject} can no longer be watched',
    help: 'can-no-longer-be-watched',
  },
  'not-found': { text: '{subject} was not found', help: 'was-not-found' },
  'result-not-fetched': {
    text: '{subject} succeeded, but its result is missing',
    help: 'succeeded-but-its-result-is-missing',
  },
  'outputs-not-written': {
    text: '{subject} has finished, but the outputs could not be written',
    help: 'the-outputs-could-not-be-written',
  },
} as const satisfies Record<string, Message>

/** The titles of errors. A step that fails writes exactly one error. */
export const titles = {
  ...runTitles,
  // How a batch of runs failed.
  'batch-failed': { text: '{subject}: {count} of {runs} failed{others}', help: 'runs-failed' },
  'batch-unknown': {
    text: '{subject}: the outcome of {count} of {runs} is unknown{others}',
    help: 'the-outcome-of-runs-is-unknown',
  },
  'batch-unfinished': {
    text: '{subject}: {count} of {runs} did not finish in time{others}',
    help: 'runs-did-not-finish-in-time',
  },
  'batch-not-started': {
    text: '{subject}: {count} of {runs} not started{others}',
    help: 'runs-not-started',
  },
  'batch-results-missing': {
    text: '{subject}: the result of {count} of {runs} is missing{others}',
    help: 'the-result-of-runs-is-missing',
  },
  'batch-cancelled': {
    text: '{subject}: this step was cancelled ({counts})',
    help: 'this-step-was-cancelled',
  },
  // How the creation of a project failed.
  'project-not-created': {
    text: 'Project {name} was not created',
    help: 'project-was-not-created',
  },
  'project-unknown': {
    text: 'Project {name} may or may not have been created',
    help: 'project-may-or-may-not-have-been-created',
  },
  'project-exists': { text: 'Project {name} exists already', help: 'project-exists-already' },
  // Errors that any step can have.
  'input-wrong': { text: 'Invalid input{of}', help: 'invalid-input' },
  'proxy-unusable': {
    text: 'The proxy of this runner is not usable',
    help: 'the-proxy-of-this-runner-is-not-usable',
  },
  'no-outputs': {
    text: 'The outputs could not be written',
    help: 'the-outputs-could-not-be-written',
  },
  'not-writable': {
    text: 'This step cannot write its files',
    help: 'this-step-cannot-write-its-files',
  },
  'cut-short': { text: 'The step was cancelled', help: 'the-step-was-cancelled' },
  bug: { text: 'A bug in this action, not in your workflow', help: 'a-bug-in-this-action' },
} as const satisfies Record<string, Message>

/** Warnings and notices. They do not decide whether the step fails. */
export const notes = {
  'certificates-not-checked': {
    level: 'warning',
    text: 'Certificates are not checked, because NODE_TLS_REJECT_UNAUTHORIZED is 0: api-token and api-key go to any server that answers. Remove this variable.',
    help: 'certificates-are-not-checked',
  },
  // Messages about the record that an earlier attempt of the job saved.
  'rerun-memory-unreadable': {
    level: 'warning',
    text: 'The record of an earlier attempt of this job could not be read: {why}. This step ignores earlier runs and starts new ones. A run of the earlier attempt may still be running.',
    help: 'the-record-of-an-earlier-attempt-could-not-be-read',
  },
  'rerun-start-unknown': {
    level: 'warning',
    text: 'Attempt {attempt} of this job may or may not have started a run: the service gave no clear answer. This step starts a new run. There may be two runs now.',
    help: 'attempt-may-or-may-not-have-started',
  },
  'batch-starts-unknown': {
    level: 'warning',
    text: 'Attempt {attempt} of this job may or may not have started {runs}: the service gave no clear answer. This step starts new runs of the same seeds. Some seeds may run twice.',
    help: 'attempt-may-or-may-not-have-started',
  },
  'rerun-not-found': {
    level: 'warning',
    text: 'For 30 s the service did not know execution {id} of attempt {attempt}. This step starts a new run.',
    help: 'the-service-did-not-know-execution',
  },
  'batch-run-not-found': {
    level: 'warning',
    text: '{run}: for 30 s the service did not know execution {id} of an earlier attempt. This step starts a new run.',
    help: 'the-service-did-not-know-execution',
  },
  'batch-shared-execution': {
    level: 'notice',
    text: '{run}: the service answered the start with execution {id}, which {other} already has. Their seeds are equal, so both runs have the same result.',
    help: 'answered-the-start-with-execution',
  },
  'rerun-not-learned': {
    level: 'warning',
    text: 'Execution {id} of attempt {attempt} may still be running: no status check got a proper answer in 32 s ({why}). This step outputs the id of that execution and starts nothing.',
    help: 'may-still-be-running',
  },
  'output-not-set': {
    level: 'warning',
    text: 'The output {name} was not set: {why}. The step does the rest of its work, and then fails.',
    help: 'the-outputs-could-not-be-written',
  },
  'not-fetched': {
    level: 'warning',
    text: 'The {what} could not be fetched: {why}. Fetch it with {wait} and the id of this execution while the store keeps it.',
    help: 'could-not-be-fetched',
  },
  'not-kept': {
    level: 'notice',
    text: "The automation isn't set to keep its {what}, so there is nothing to publish. In the service's dashboard, set the automation to keep it.",
    help: 'the-automation-isnt-set-to-keep',
  },
  'not-finished': {
    level: 'notice',
    text: 'The service has not finished the run yet, so there is no {what} to publish. Fetch the {what} later with {wait}.',
    help: 'the-service-has-not-finished-the-run-yet',
  },
  'batch-failures-pass': {
    level: 'warning',
    text: '{subject}: {count} of {runs} did not succeed, and fail-on lets the step pass.',
    help: 'runs-failed',
  },
  'may-be-doubled': {
    level: 'warning',
    text: "Some runs may have been started before, and may run twice now. An earlier attempt of this job did not save its last record. Look for runs of the same seeds in the service's dashboard.",
    help: 'may-have-been-started-before',
  },
  'artifact-unsupported': {
    level: 'notice',
    text: 'No artifact was uploaded: {why}.{rest}',
    help: 'no-artifact-was-uploaded',
  },
  'artifact-failed': {
    level: 'warning',
    text: 'No artifact was uploaded: {why}.{rest}',
    help: 'no-artifact-was-uploaded',
  },
  'summary-not-written': {
    level: 'warning',
    text: 'The job summary was not written: {why}',
    help: 'the-job-summary-was-not-written',
  },
  'summary-file-not-written': {
    level: 'warning',
    text: 'The output summary-file stays empty: {why}.',
    help: 'the-output-summary-file-stays-empty',
  },
  'commit-status-not-set': {
    level: 'warning',
    text: 'The commit status {context} was not set: {why}',
    help: 'the-commit-status-was-not-set',
  },
} as const satisfies Record<string, Message & { level: 'warning' | 'notice' }>

export type RunTitle = keyof typeof runTitles
export type TitleName = keyof typeof titles
export type NoteName = keyof typeof notes

/** The anchor of an entry in docs/troubleshooting.md. */
export type Entry = (typeof titles)[TitleName]['help'] | (typeof notes)[NoteName]['help']

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The values that replace the `{…}` in a text, by name. */
type Values<Text extends string> = Readonly<Record<NamesIn<Text>, string>>
type TitleValues<Name extends TitleName> = Values<(typeof titles)[Name]['text']>
export type NoteValues<Name extends NoteName> = Values<(typeof notes)[Name]['text']>

/** The name of an error in this catalogue, and its title with all values. */
export interface Heading {
  name: TitleName
  title: string
}

export function headingOf<Name extends TitleName>(name: Name, values: TitleValues<Name>): Heading {
  return { name, title: fill(titles[name].text, values) }
}

/** Returns the last line of every annotation: the address of its troubleshooting entry. */
export function helpLine(entry: Entry): string {
  return `Help: ${helpAddress(entry)}`
}

export function helpAddress(entry: Entry): string {
  return `${troubleshootingPage}#${entry}`
}

/** Fills the values into the text of a warning or notice. */
export function noteText<Name extends NoteName>(name: Name, values: NoteValues<Name>): string {
  return fill(notes[name].text, values)
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
