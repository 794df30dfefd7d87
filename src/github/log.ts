/** The one place which prints. */
import type * as core from '@actions/core'
import { randomUUID } from 'node:crypto'
import type { Annotation } from './annotation.ts'
import { cut, flatten, lines } from './foreign-text.ts'
import type { Secrets } from './secrets.ts'

/** Where lines go: `@actions/core`, or a stand-in. */
export type Console = Pick<
  typeof core,
  'info' | 'debug' | 'notice' | 'warning' | 'error' | 'startGroup' | 'endGroup'
>

/**
 * The step's log. Every text is made inert and free of secrets here, whoever wrote it: callers may
 * put foreign words into any of these. Texts keep their line breaks where they may have several.
 */
export interface Log {
  /** The heading of a phase: start, wait, result, publish. */
  title(phase: string): void
  info(text: string): void
  /** The step's last word, coloured by its outcome. */
  verdict(text: string, passed: boolean): void
  /** Shown only where the workflow runs with debug logging. */
  debug(text: string): void
  notice(text: string, title?: string): void
  warning(text: string, title?: string): void
  /** The one error annotation of a failed step. Sets no exit code. */
  failure(annotation: Annotation): void
  /** A foreign text, folded, with all commands in it switched off. At most its last 1 MiB. */
  foreignBlock(title: string, text: string): void
}

const longestLine = 8_000
const longestTitle = 200
const longestBlock = 1024 * 1024
// The runner cuts annotations there.
const longestAnnotation = 4096

const cyan = 36
const green = 32
const red = 31

/** `colour`: whether the log's reader understands ANSI colours; GitHub's does. */
export function createLog(
  console: Console,
  secrets: Pick<Secrets, 'redact'>,
  { colour = true }: { colour?: boolean } = {},
): Log {
  const redact = (text: string): string => secrets.redact(text)
  // Twice: taking a control character out can put the two halves of a secret together.
  const line = (text: string): string =>
    indentation(text) + cut(redact(flatten(redact(text))), longestLine)
  const paragraph = (text: string): string => redact(text).split(/\r?\n/).map(line).join('\n')
  const words = (text: string): string => cut(paragraph(text), longestAnnotation)
  const paint = (code: number, text: string): string =>
    colour ? `${escape}[1;${code}m${text}${escape}[0m` : text
  const headed = (title?: string) =>
    title === undefined ? {} : { title: cut(line(title), longestTitle) }

  return {
    title: (phase) => console.info(`\n${paint(cyan, `▶ ${line(phase)}`)}`),
    info: (text) => console.info(paragraph(text)),
    verdict: (text, passed) =>
      console.info(`\n${paint(passed ? green : red, `${passed ? '✓' : '✗'} ${line(text)}`)}`),
    debug: (text) => console.debug(paragraph(text)),
    notice: (text, title) => console.notice(words(text), headed(title)),
    warning: (text, title) => console.warning(words(text), headed(title)),
    failure: ({ message, title, file, line: startLine }) =>
      console.error(words(message), {
        ...headed(title),
        ...(file === undefined ? {} : { file }),
        ...(startLine === undefined ? {} : { startLine }),
      }),
    foreignBlock: (title, text) => {
      // The runner obeys none of it there, but the log's viewer would still draw it.
      const shown = redact(lines(redact(text)).join('\n')).replace(/##\[/g, '# #[')
      printInert(console, cut(line(title), longestTitle), tail(shown, longestBlock))
    },
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

/** The last whole lines that fit into `limit` bytes; of a line that alone is too long, its end. */
function tail(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= limit) return text
  const end = bytes.subarray(-limit)
  const firstBreak = end.indexOf('\n')
  // Without a break the cut may have split a character.
  return `…\n${firstBreak === -1 ? end.toString().replace(/^\ufffd+/, '') : end.toString('utf8', firstBreak + 1)}`
}
