import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ExecutionAttempt } from '../../../../src/execution/execution-report.ts'
import { executionRecord } from '../../../../src/messages/execution-record.ts'
import { describeFailure } from '../../../../src/messages/failure-annotation.ts'
import { createLog, type Console } from '../../../../src/runner/log.ts'
import { describeRetry } from '../../../../src/messages/retries.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { reportOf, summaryOf, type SummaryFacts } from '../../../support/execution-report.ts'
import { workflowRunOf } from '../../../../src/runner/workflow-run.ts'
import { asPage, asParsed, asPrinted } from '../../../support/as-read.ts'

// What Markdown, HTML, JSON, URLs and the runner's commands write otherwise than it reads.
const markup = Array.from('@#$&<>"\'\\/%*_`|[]{}:;~= \u00e9')
const letter = fc.constantFrom(...markup, ...Array.from('abcXYZ0189'))
const secretText = fc
  .array(letter, { minLength: 6, maxLength: 24 })
  .map((letters) => letters.join('').trim())
  .filter((text) => text.length >= 6 && !/\s\s|\*\*\*/.test(text) && /[aXZ19]/.test(text))

// All of no width: terminal sequences, bidi controls, joiners, control characters.
const splits = ['\u001b[1;31m', '\u001b[0K', '\u001b]0;title\u0007', '\u202e', '\u2066', '\u200b']
const split = fc.constantFrom('', '', '', ...splits, '\u00ad', '\ufeff', '\0', '\u0007')
const spelling = fc.constantFrom('letter', 'letter', 'escape')

interface Trial {
  secret: string
  /** The secret with invisible things between its letters. */
  broken: string
  /** The same within a JSON string, some of its letters as escapes. */
  json: string
}

const trial: fc.Arbitrary<Trial> = secretText.chain((secret) =>
  fc
    .tuple(
      fc.array(split, { minLength: secret.length, maxLength: secret.length }),
      fc.array(spelling, { minLength: secret.length, maxLength: secret.length }),
    )
    .map(([between, how]) => ({
      secret,
      broken: secret
        .split('')
        .map((one, at) => one + (between[at] ?? ''))
        .join(''),
      json: secret
        .split('')
        .map((one, at) => spell(one, how[at]) + spell(between[at] ?? '', 'escape'))
        .join(''),
    })),
)

function spell(text: string, how: string | undefined): string {
  if (how === 'letter') return JSON.stringify(text).slice(1, -1)
  return text.replace(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const failed: SummaryFacts = { conclusion: 'error', failure: { kind: 'error' } }
const succeeded: SummaryFacts = { conclusion: 'success', automation: 'report' }
const json = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }

/** Every channel's text, as its reader sees it, of something that says `before <text> after`. */
const channels: Record<string, (trial: Trial, secrets: Secrets) => string> = {
  'a line of the log': ({ broken }, secrets) =>
    print(secrets, (log) => log.info(`before ${broken} after`)),
  'the printed log': ({ broken }, secrets) =>
    print(secrets, (log) => log.untrustedBlock('The log', `one\nbefore ${broken} after\n`)),
  'the annotation': ({ broken }, secrets) =>
    print(secrets, (log) => log.failure(annotate(`before ${broken} after`, secrets))),
  'words within a line': ({ broken }, secrets) =>
    asPrinted(secrets.words(`before ${broken} after`)),
  'the cause and the log in the summary': ({ broken }, secrets) => {
    const text = `before ${broken} after`
    return page({ ...failed, cause: { text }, log: text, automation: text }, secrets)
  },
  'a text in the summary': ({ broken }, secrets) => {
    const result = { ...json, name: 'r.txt', mediaType: 'text/plain' }
    return page({ ...succeeded, result: { ...result, text: `before ${broken} after` } }, secrets)
  },
  'rows in the summary': (given, secrets) =>
    resultPage(`[{"a":"before ${given.json} after"},{"before ${given.json} after":1}]`, secrets),
  'an object in the summary': (given, secrets) =>
    resultPage(
      `{"a":"before ${given.json} after","before ${given.json} after":[[{"${given.json}":["${given.json}"]}]]}`,
      secrets,
    ),
  'a chart in the summary': (given, secrets) =>
    resultPage(`{"before ${given.json} after":1,"b":2,"c":3}`, secrets),
  'a list in the summary': (given, secrets) =>
    resultPage(`[["before ${given.json} after"],"${given.json}"]`, secrets),
  'the record in the artifact': ({ broken }, secrets) => {
    const note = { [`before ${broken} after`]: [`before ${broken} after`] }
    const status = { exec_uuid: null, finished: true, error: false, stopped: false, note }
    const links = { container_error: false, result_url: null, logs_url: null }
    const automation = `before ${broken} after`
    const ending = {
      kind: 'finished',
      outcome: 'success',
      status: { ...status, ...links },
    } as const
    const workflowRun = workflowRunOf({})
    return asParsed(
      executionRecord(reportOf({ automation, ending }), workflowRun, (text) => secrets.show(text)),
    )
  },
  'the executions in the summary': ({ broken }, secrets) =>
    page({ ...succeeded, attempts: attemptsThat(broken) }, secrets),
  'the executions in the record': ({ broken }, secrets) => {
    const report = reportOf({ attempts: attemptsThat(broken) })
    return asParsed(executionRecord(report, workflowRunOf({}), (text) => secrets.show(text)))
  },
  'the line of a retry': ({ broken }, secrets) => {
    const show = (text: string) => secrets.show(text)
    const span = { pause: 1, next: 2, most: 3 }
    return asPrinted(describeRetry({ attempts: attemptsThat(broken) }, span, show))
  },
}

function attemptsThat(broken: string): ExecutionAttempt[] {
  const text = `before ${broken} after`
  const [startedOn, finishedOn] = [new Date(0), new Date(1)]
  return [{ executionId: text, conclusion: 'error', cause: { text }, startedOn, finishedOn }]
}

function print(secrets: Secrets, tell: (log: ReturnType<typeof createLog>) => void): string {
  const printed: string[] = []
  const add = (text: string | Error) => void printed.push(String(text))
  const console: Console = {
    info: add,
    debug: add,
    notice: add,
    warning: add,
    error: add,
    startGroup: add,
    endGroup: () => undefined,
  }
  tell(createLog(console, secrets))
  return asPrinted(printed.join('\n'))
}

function annotate(text: string, secrets: Secrets) {
  return describeFailure({ kind: 'error' }, { cause: { text } }, {}, (part) => secrets.show(part))
}

function page(facts: SummaryFacts, secrets: Secrets): string {
  return asPage(summaryOf(facts, (text, isCut) => secrets.show(text, isCut)))
}

function resultPage(text: string, secrets: Secrets): string {
  return page({ ...succeeded, result: { ...json, text } }, secrets)
}

describe('a secret, whatever invisible is put between its letters, however they are spelled', () => {
  it.each(Object.entries(channels))('is not read in %s', (_name, show) => {
    fc.assert(
      fc.property(trial, (given) => {
        const secrets = new Secrets(() => undefined)
        secrets.add(given.secret)
        const shown = show(given, secrets)
        expect(shown).not.toContain(given.secret)
        expect(shown).toMatch(/before \S{0,20}\*\*\*\S{0,20} after/)
      }),
      { numRuns: 100 },
    )
  })

  it.each(Object.entries(channels))('is read in %s where it is none', (_name, show) => {
    const given = { secret: 'a@b#c1', broken: 'a\u001b[1m@b#c1', json: 'a\\u0040b#c1' }
    expect(show(given, new Secrets(() => undefined))).toContain('before a@b#c1 after')
  })
})
