/** Every function that reads texts from outside, by name, each as the actions call it. */
import { cut, cutBytes, lastLines } from '../../src/cut.ts'
import { findCause } from '../../src/execution/cause.ts'
import { describeProblem } from '../../src/messages/annotation.ts'
import { clean, inline, lines } from '../../src/messages/text/untrusted-text.ts'
import { createLog, type Log } from '../../src/runner/log.ts'
import { Secrets } from '../../src/messages/text/secrets.ts'
import { Page } from '../../src/messages/summary/html.ts'
import { parseJson, printJson } from '../../src/messages/summary/json.ts'
import { annotationOf, raisedError, summaryOf } from '../../__tests__/support/execution-report.ts'
import { renderResult } from '../../src/messages/summary/result.ts'
import { asTerminalShows } from '../../src/messages/text/terminal-text.ts'

const secretCount = 1_000

type Readers = Record<string, (text: string) => unknown>

export function textReaders(): Readers {
  const secrets = new Secrets(() => undefined)
  // Many that begin alike, and one that the text `almost a secret` nearly spells at each place.
  const alike = Array.from(
    { length: secretCount },
    (_, at) => `https://store/result?signature=${at}`,
  )
  secrets.add(...alike, `${'a'.repeat(2_000)}b`)
  return { ...plainReaders(secrets), ...jsonReaders(secrets), ...channels(secrets) }
}

function plainReaders(secrets: Secrets): Readers {
  return {
    clean,
    lines,
    'inline, to 500': (text) => inline(text, 500),
    'cut, to 500': (text) => cut(text, 500),
    'cut, to half': (text) => cut(text, text.length / 2),
    'cutBytes, to 4 KiB': (text) => cutBytes(text, 4096),
    'lastLines, of 64 KiB': (text) => lastLines(text, 64 * 1024 - 1),
    asTerminalShows,
    'Secrets.show': secrets.show,
    'Secrets.words': secrets.words,
    findCause,
  }
}

function jsonReaders(secrets: Secrets): Readers {
  const page = new Page(secrets.show)
  const json = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }
  return {
    'parseJson and printJson': (text) => printJson(parseJson(text, secrets.show) ?? null),
    'renderResult, whole': (text) => renderResult({ ...json, text }, page),
    'renderResult, cut': (text) => renderResult({ ...json, text, complete: false }, page),
  }
}

function channels(secrets: Secrets): Readers {
  const page = new Page(secrets.show)
  const log = silentLog(secrets)
  const failed = { conclusion: 'error', failure: raisedError } as const
  return {
    'Page.prose': (text) => page.prose(text, 200),
    'Page.preformatted': (text) => page.preformatted(text),
    renderSummary: (text) => summaryOf({ ...failed, cause: { text }, log: text }, secrets.show),
    describeFailure: (text) => annotationOf({ ...failed, automation: text, cause: { text } }),
    describeProblem: (text) =>
      describeProblem({ title: text, entry: 'failed', message: text, hint: text }),
    'Log.info': (text) => log.info(text),
    'Log.note': (text) => log.note('summary-not-written', { why: text }),
    'Log.untrustedBlock': (text) => log.untrustedBlock('block', text),
  }
}

function silentLog(secrets: Secrets): Log {
  const nothing = () => undefined
  const levels = {
    info: nothing,
    debug: nothing,
    notice: nothing,
    warning: nothing,
    error: nothing,
  }
  return createLog({ ...levels, startGroup: nothing, endGroup: nothing }, secrets)
}
