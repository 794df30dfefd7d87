/** The step's log. Only this file prints. */
import type * as core from '@actions/core'
import { randomUUID } from 'node:crypto'
import { maxLinkLength, maxMessageLength, type Annotation } from '../messages/annotation.ts'
import {
  helpLine,
  notes,
  noteText,
  type Entry,
  type NoteName,
  type NoteValues,
} from '../messages/catalogue.ts'
import { describeLink } from '../messages/run-link.ts'
import { cut, lastLines } from '../cut.ts'
import { flatten, lines } from '../messages/text/untrusted-text.ts'
import type { Secrets } from '../messages/text/secrets.ts'

export type Console = Pick<
  typeof core,
  'info' | 'debug' | 'notice' | 'warning' | 'error' | 'startGroup' | 'endGroup'
>

/**
 * The step's log. Every text is cleaned and redacted here, so callers may pass untrusted words.
 * Each text becomes one line, so untrusted words cannot look like a line of this action. Only the
 * annotation of a failure and debug texts keep their line breaks. The last line of an annotation is
 * the address of its help entry.
 */
export interface Log {
  /** The heading of a phase, for example "Start" or "Wait". */
  title(phase: string): void
  info(text: string): void
  verdict(text: string, passed: boolean): void
  /** Visible only if the workflow runs with debug logging. */
  debug(text: string): void
  /** Writes a warning or a notice. Neither changes the verdict. */
  note<Name extends NoteName>(name: Name, values: NoteValues<Name>): void
  /** Writes the one error annotation of a failed step. Does not set the exit code. */
  failure(annotation: Annotation): void
  /**
   * Prints an untrusted text in a group, at most its last 1 MiB. Workflow commands in it have no
   * effect, and each line begins with a mark.
   */
  untrustedBlock(title: string, text: string): void
}

// The runner searches for each mask in every later line of the job.
const maxMasks = 2_000
const maxLineLength = 8_000
const maxTitleLength = 200
const maxBlock = 1024 * 1024

const cyan = 36
const green = 32
const red = 31

/** `debugging`: true if the workflow runs with debug logging. */
export function createLog(
  console: Console,
  secrets: Pick<Secrets, 'show'>,
  debugging: boolean,
): Log {
  const line = (text: string): string =>
    indentation(text) + cut(flatten(secrets.show(text)), maxLineLength)
  const paragraph = (text: string): string => text.split(/\r?\n/).map(line).join('\n')
  // Link and help address are added after redaction and cutting, so that they are complete. Each has
  // its own line, so that untrusted words cannot continue it.
  const annotation = (text: string, entry: Entry, executionUrl?: string): string => {
    const link = executionUrl && describeLink(cut(line(executionUrl), maxLinkLength))
    return [cut(text, maxMessageLength), ...(link ? [link] : []), helpLine(entry)].join('\n')
  }
  const paint = (code: number, text: string): string => `${escape}[1;${code}m${text}${escape}[0m`

  return {
    title: (phase) => console.info(`\n${paint(cyan, `▶ ${line(phase)}`)}`),
    info: (text) => console.info(line(text)),
    verdict: (text, passed) =>
      console.info(`\n${paint(passed ? green : red, `${passed ? '✓' : '✗'} ${line(text)}`)}`),
    // Without debug logging the runner drops these lines. The storage clients print dozens of them
    // at the end of a step.
    debug: (text) => {
      if (debugging) console.debug(paragraph(secrets.show(text)))
    },
    note: (name, values) =>
      console[notes[name].level](annotation(line(noteText(name, values)), notes[name].help)),
    failure: ({ message, title, entry, file, line: startLine, executionUrl }) =>
      console.error(annotation(paragraph(secrets.show(message)), entry, executionUrl), {
        title: cut(line(title), maxTitleLength),
        ...(file === undefined ? {} : { file }),
        ...(startLine === undefined ? {} : { startLine }),
      }),
    untrustedBlock: (title, text) => {
      printInert(console, cut(line(title), maxTitleLength), marked(lines(secrets.show(text))))
    },
  }
}

/** Returns a function that masks values in the log, at most 2,000. */
export function boundedMasks({
  setSecret,
  debug,
}: Pick<typeof core, 'setSecret' | 'debug'>): (value: string) => void {
  let count = 0
  return (value) => {
    count += 1
    if (count <= maxMasks) setSecret(value)
    else if (count === maxMasks + 1) debug(`The runner masks at most ${String(maxMasks)} values`)
  }
}

const escape = String.fromCharCode(0x1b)

function printInert(console: Console, title: string, text: string): void {
  // The author of the text cannot know the token that switches workflow commands on again.
  const token = randomUUID()
  console.startGroup(title)
  console.info(`::stop-commands::${token}`)
  try {
    console.info(text)
  } finally {
    console.info(`::${token}::`)
    console.endGroup()
  }
}

function indentation(text: string): string {
  return /^ {0,40}/.exec(text)?.[0] ?? ''
}

/**
 * Adds a mark that begins with a space to each line, so that problem matchers of earlier actions
 * (setup-python, tsc) ignore the lines. The runner does not obey `##[` there, but its log viewer
 * would format it.
 */
function marked(texts: readonly string[]): string {
  const block = texts.map((text) => ` │ ${text.replace(/##\[/g, '# #[')}`.trimEnd()).join('\n')
  const shown = lastLines(block, maxBlock)
  if (shown === block) return block
  // If a single line is too long, its mark was cut off with its beginning.
  return ` │ …\n${shown.startsWith(' │') ? shown : ` │ ${shown}`}`
}
