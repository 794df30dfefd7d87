/**
 * Every annotation that the action can write, as data: the code fills these texts in, and a test
 * holds the table of the documentation to them. `{…}` is filled in where the text is used.
 */

/** The titles of errors. A step that fails writes exactly one. */
export const titles = {
  // How a run, or the following of it, failed.
  error: '{subject} failed',
  'container-error': '{subject} died',
  stopped: '{subject} was stopped',
  'timed-out': '{subject} timed out',
  cancelled: '{subject}: this step was cancelled',
  'not-started': '{subject} was not started',
  'unknown-start': '{subject} may or may not have started',
  'credentials-refused': '{subject} can no longer be watched',
  'checks-refused': '{subject} can no longer be watched',
  'not-found': '{subject} was not found',
  'result-not-fetched': '{subject} succeeded, but its result is missing',
  'copy-not-written': '{subject} is over, but a copy could not be written',
  'outputs-not-written': '{subject} is over, but the outputs could not be written',
  // How a batch of runs failed.
  'batch-failed': '{subject}: {failed} of {total} {runs} failed',
  'batch-unknown': '{subject}: the outcome of {unknown} of {total} {runs} is unknown',
  'batch-unfinished': '{subject}: {open} of {total} {runs} did not finish in time',
  'batch-not-started': '{subject}: {waiting} of {total} {runs} {were} not started',
  'batch-results-missing': '{subject}: the results of {missing} of {total} {runs} are missing',
  // How the creation of a project failed.
  'project-not-created': 'Project {name} was not created',
  'project-unknown': 'Project {name} may or may not have been created',
  'project-exists': 'Project {name} exists already',
  // What any step can fail with.
  'input-wrong': 'An input is wrong',
  'inputs-wrong': 'Some inputs are wrong',
  'proxy-unusable': 'The proxy of this runner is not usable',
  'no-outputs': 'The outputs could not be written',
  'cut-short': 'The step was cancelled',
  bug: 'A bug in this action, not in your workflow',
} as const

/** Warnings and notices: they don't change whether the step fails. */
export const notes = {
  // What an earlier attempt of the job left.
  'rerun-memory-unreadable': {
    level: 'warning',
    text: 'What an earlier attempt of this job started could not be read: {why}. Starting a new run; an earlier one may still be going on.',
  },
  'rerun-start-unknown': {
    level: 'warning',
    text: 'Attempt {attempt} of this job may or may not have started a run: its start got no clear answer. Starting a new run; there may be two.',
  },
  'batch-starts-unknown': {
    level: 'warning',
    text: 'Attempt {attempt} of this job may or may not have started {runs}: there was no clear answer. Starting them again; those that were started then run twice.',
  },
  'rerun-not-found': {
    level: 'warning',
    text: 'For 30 s the service did not know execution {id}, which attempt {attempt} of this job started. Starting a new run.',
  },
  'batch-run-not-found': {
    level: 'warning',
    text: '{run}: for 30 s the service did not know execution {id}, which an earlier attempt of this job started. Starting a new run.',
  },
  'rerun-not-learned': {
    level: 'warning',
    text: 'Execution {id}, which attempt {attempt} of this job started, may still be running: its state could not be learned in 30 s ({why}). Its id is handed over; nothing new is started.',
  },
  'short-secret': {
    level: 'warning',
    text: '{input}: fewer than 6 characters are too short for a secret. It is masked all the same, wherever these characters occur.',
  },
  'output-not-set': {
    level: 'warning',
    text: 'The output {name} was not set: {why}. The step goes on, and fails at its end.',
  },
  'service-in-trouble': {
    level: 'warning',
    text: 'The service has not answered properly for a minute ({why}). Going on until the timeout.',
  },
  'not-fetched': {
    level: 'warning',
    text: 'The {what} could not be fetched: {why}. Fetch it again with {wait} and the same execution-id.',
  },
  'unknown-encoding': {
    level: 'warning',
    text: 'The store sent the {what} in an encoding that is not understood (content-encoding: {encoding}). Its bytes were kept as they came.',
  },
  'not-kept': {
    level: 'notice',
    text: "The automation isn't set to keep its {what}, so there is nothing to publish. Switch it on in the service's dashboard.",
  },
  'not-finished': {
    level: 'notice',
    text: 'The service has not finished the run yet, so there is no {what} to publish. Fetch them later with {wait}.',
  },
  'nothing-to-copy': {
    level: 'warning',
    text: '{input}: nothing was written to {target}, since there is nothing to copy.',
  },
  'copy-not-written': {
    level: 'warning',
    text: '{input}: a copy could not be written ({why}).',
  },
  'no-seeds': {
    level: 'notice',
    text: '{list} is empty, so nothing was started.',
  },
  'label-not-found': {
    level: 'notice',
    text: 'label: no seed has {label} as a text or number, so the runs are named by their number alone.',
  },
  'may-be-doubled': {
    level: 'warning',
    text: "Up to {count} of {runs} may have been started before, and now run twice: an earlier attempt of this job stopped abruptly, some time after its last record. Look for runs of the same seeds in the service's dashboard.",
  },
  'artifact-unsupported': {
    level: 'notice',
    text: 'No artifact was uploaded: {why}.{rest}',
  },
  'artifact-failed': {
    level: 'warning',
    text: 'No artifact was uploaded: {why}.{rest}',
  },
  'summary-not-written': {
    level: 'warning',
    text: 'The job summary was not written: {why}',
  },
  'summary-file-not-written': {
    level: 'warning',
    text: 'The output summary-file stays empty: {why}.',
  },
  'commit-status-not-set': {
    level: 'warning',
    text: 'The commit status {context} was not set: {why}. {hint}',
  },
} as const

export type TitleName = keyof typeof titles
export type NoteName = keyof typeof notes

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** What a text needs to be filled in. */
export type Values<Text extends string> = Readonly<Record<NamesIn<Text>, string>>
export type TitleValues<Name extends TitleName> = Values<(typeof titles)[Name]>
export type NoteValues<Name extends NoteName> = Values<(typeof notes)[Name]['text']>

/** The title of an error. */
export function titled<Name extends TitleName>(name: Name, values: TitleValues<Name>): string {
  return fill(titles[name], values)
}

/** The text of a warning or notice. */
export function noteText<Name extends NoteName>(name: Name, values: NoteValues<Name>): string {
  return fill(notes[name].text, values)
}

/** In one pass: a value that looks like a place to fill in stays as it is. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
