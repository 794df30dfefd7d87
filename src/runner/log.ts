/** The one place which prints. */
import type * as core from '@actions/core'
import { randomUUID } from 'node:crypto'
import { maxMessageLength, type Annotation } from '../messages/annotation.ts'
import {
  helpLine,
  notes,
  noteText,
  type Entry,
  type NoteName,
  type NoteValues,
} from '../messages/catalogue.ts'
import { cut, lastLines } from '../cut.ts'
import { flatten, lines } from '../messages/text/untrusted-text.ts'
import type { Secrets } from '../messages/text/secrets.ts'

/** Where lines go: `@actions/core`, or a stand-in. */
export type Console = Pick<
  typeof core,
  'info' | 'debug' | 'notice' | 'warning' | 'error' | 'startGroup' | 'endGroup'
>

/**
 * The step's log. Every text is made inert and free of secrets here, whoever wrote it: callers may
 * put untrusted words into any of these. Each is one line, so that nobody's words can pass for a line
 * of ours; the failure's parts, and what is for debugging, keep their line breaks. Annotations end
 * with a line of their own, the address of the entry that explains them.
 */
export interface Log {
  /** The heading of a phase: start, wait, result, publish. */
  title(phase: string): void
  info(text: string): void
  /** The step's last word, coloured by its outcome. */
  verdict(text: string, passed: boolean): void
  /** Shown only where the workflow runs with debug logging. */
  debug(text: string): void
  /** A warning or notice, which changes no verdict. */
  note<Name extends NoteName>(name: Name, values: NoteValues<Name>): void
  /** The one error annotation of a failed step. Sets no exit code. */
  failure(annotation: Annotation): void
  /**
   * An untrusted text, folded, with all commands in it switched off, each line behind a mark. At most
   * its last 1 MiB.
   */
  untrustedBlock(title: string, text: string): void
}

// The runner looks for each of them in every line of the job that follows.
const maxMasks = 2_000
const maxLineLength = 8_000
const maxTitleLength = 200
const maxBlock = 1024 * 1024

const cyan = 36
const green = 32
const red = 31

/** `debugging`: whether the workflow runs with debug logging. */
export function createLog(
  console: Console,
  secrets: Pick<Secrets, 'show'>,
  { debugging = true }: { debugging?: boolean } = {},
): Log {
  const line = (text: string): string =>
    indentation(text) + cut(flatten(secrets.show(text)), maxLineLength)
  const paragraph = (text: string): string => text.split(/\r?\n/).map(line).join('\n')
  // The address comes after redaction and cuts, so that it is always whole, and on a line of its
  // own, so that no words of others run into it.
  const annotation = (text: string, entry: Entry): string =>
    `${cut(text, maxMessageLength)}\n${helpLine(entry)}`
  const paint = (code: number, text: string): string => `${escape}[1;${code}m${text}${escape}[0m`

  return {
    title: (phase) => console.info(`\n${paint(cyan, `▶ ${line(phase)}`)}`),
    info: (text) => console.info(line(text)),
    verdict: (text, passed) =>
      console.info(`\n${paint(passed ? green : red, `${passed ? '✓' : '✗'} ${line(text)}`)}`),
    // The runner would drop the line, and the storage clients have dozens of them at a step's end.
    debug: (text) => {
      if (debugging) console.debug(paragraph(secrets.show(text)))
    },
    note: (name, values) =>
      console[notes[name].level](annotation(line(noteText(name, values)), notes[name].help)),
    failure: ({ message, title, entry, file, line: startLine }) =>
      console.error(annotation(paragraph(secrets.show(message)), entry), {
        title: cut(line(title), maxTitleLength),
        ...(file === undefined ? {} : { file }),
        ...(startLine === undefined ? {} : { startLine }),
      }),
    untrustedBlock: (title, text) => {
      printInert(console, cut(line(title), maxTitleLength), marked(lines(secrets.show(text))))
    },
  }
}

/** Has the runner mask values in the step's log; after so many no more, which is logged once. */
export function boundedMasks({
  setSecret,
  debug,
}: Pick<typeof core, 'setSecret' | 'debug'>): (value: string) => void {
  let count = 0
  return (value) => {
    count += 1
    if (count <= maxMasks) setSecret(value)
    else if (count === maxMasks + 1)
      debug(`The runner masks ${String(maxMasks)} values, and no more`)
  }
}

const escape = String.fromCharCode(0x1b)

function printInert(console: Console, title: string, text: string): void {
  // Whoever wrote the text cannot know the token that switches commands on again.
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
 * The lines behind a mark that begins with a space: problem matchers that other actions have left
 * (setup-python's, tsc's) take none of them. The runner obeys no `##[` there, but its viewer would
 * still draw it.
 */
function marked(texts: readonly string[]): string {
  const block = texts.map((text) => ` │ ${text.replace(/##\[/g, '# #[')}`.trimEnd()).join('\n')
  const shown = lastLines(block, maxBlock)
  if (shown === block) return block
  // Of a line that alone is too long, the mark went with its beginning.
  return ` │ …\n${shown.startsWith(' │') ? shown : ` │ ${shown}`}`
}
