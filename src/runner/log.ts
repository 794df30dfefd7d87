/** Writes the lines, groups and annotations of the step's log. */
import type * as core from '@actions/core'
import { randomUUID } from 'node:crypto'
import { annotationOf } from '../messages/annotation.ts'
import {
  helpLine,
  levelOf,
  notes,
  noteText,
  type NoteName,
  type NoteValues,
} from '../messages/catalogue.ts'
import type { Notice } from '../messages/notice.ts'
import { cut, cutMiddle, lastLines } from '../cut.ts'
import { flatten, lines } from '../messages/text/untrusted-text.ts'
import type { Secrets } from '../messages/text/secrets.ts'

export type Console = Pick<
  typeof core,
  'info' | 'debug' | 'notice' | 'warning' | 'error' | 'startGroup' | 'endGroup'
>

/**
 * The step's log. Every text is cleaned and redacted here, so callers may pass untrusted text. Each
 * text becomes one line, so that untrusted text cannot imitate a line of this action. Only debug texts
 * and blocks keep their line breaks. The last line of an annotation is a link to its help entry.
 */
export interface Log {
  /** Prints the heading of a phase, for example "Start" or "Wait". */
  title(phase: string): void
  info(text: string): void
  verdict(text: string, passed: boolean): void
  /** Prints a text that is visible only if the workflow runs with debug logging. */
  debug(text: string): void
  /** Writes a warning or a notice. The verdict of the step stays the same. */
  note<Name extends NoteName>(name: Name, values: NoteValues<Name>): void
  /**
   * Writes the error annotation of a failed step. Does not set the exit code. `executionUrl` is the
   * link to the run in the service's dashboard, printed on a separate line, if there is one.
   */
  failure(notice: Notice, executionUrl: string | undefined): void
  /**
   * Prints at most the last 1 MiB of an untrusted text in a log group. Workflow commands in the
   * text have no effect. Each printed line begins with ` │ `.
   */
  untrustedBlock(title: string, text: string): void
}

export const maxLineLength = 2_000
const maxTitleLength = 200
const maxBlock = 1024 * 1024

const cyan = 36
const green = 32
const red = 31

/** Creates the step's log. `debugging`: true if the workflow runs with debug logging. */
export function createLog(
  console: Console,
  secrets: Pick<Secrets, 'show'>,
  debugging: boolean,
): Log {
  const line = (text: string): string =>
    indentation(text) + cutMiddle(flatten(secrets.show(text)), maxLineLength)
  const paragraph = (text: string): string => text.split(/\r?\n/).map(line).join('\n')
  const paint = (code: number, text: string): string => `${escape}[1;${code}m${text}${escape}[0m`

  return {
    title: (phase) => console.info(`\n${paint(cyan, `▶ ${line(phase)}`)}`),
    info: (text) => console.info(line(text)),
    verdict: (text, passed) =>
      console.info(`\n${paint(passed ? green : red, `${passed ? '✓' : '✗'} ${line(text)}`)}`),
    // If debug logging is off, debug lines are not printed, because the runner would drop these
    // lines. The storage clients write dozens of debug lines.
    debug: (text) => {
      if (debugging) console.debug(paragraph(secrets.show(text)))
    },
    note: (name, values) => {
      const [, help] = notes[name]
      console[levelOf(name)](`${line(noteText(name, values))}\n${helpLine(help)}`)
    },
    failure: (notice, executionUrl) => {
      const { title, text } = annotationOf(notice, executionUrl, secrets.show)
      console.error(text, { title })
    },
    untrustedBlock: (title, text) => {
      printInert(console, cut(line(title), maxTitleLength), marked(lines(secrets.show(text))))
    },
  }
}

const escape = String.fromCharCode(0x1b)

function printInert(console: Console, title: string, text: string): void {
  // The token is random, so the printed text cannot switch workflow commands on again.
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
 * Adds ` │ ` before each line. Because of the first space, problem matchers of earlier actions
 * (setup-python, tsc) ignore the lines. Also splits `##[`, because GitHub's log viewer would format
 * the line.
 */
function marked(texts: readonly string[]): string {
  const block = texts.map((text) => ` │ ${text.replace(/##\[/g, '# #[')}`.trimEnd()).join('\n')
  const shown = lastLines(block, maxBlock)
  if (shown === block) return block
  // The cut may have removed the beginning of a very long line, including the ` │ `.
  return ` │ …\n${shown.startsWith(' │') ? shown : ` │ ${shown}`}`
}
