import { describe, expect, it } from '@jest/globals'
import type { Execution, RunReport } from '../../../../src/execution/report.ts'
import { followedMembers, runMembers } from '../../../../src/messages/execution-record.ts'
import { describeFailure } from '../../../../src/messages/failure-annotation.ts'
import { createLog, type Console } from '../../../../src/runner/log.ts'
import { describeRetry } from '../../../../src/messages/retries.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { record } from '../../../support/execution-status.ts'
import {
  collected,
  executionOf,
  raisedError,
  reportOf,
  summaryOf,
} from '../../../support/run-report.ts'
import { asPage, asParsed, asPrinted } from '../../../support/as-read.ts'

// Characters that Markdown, HTML, JSON, URLs or the runner's commands escape.
const secret = 'p@ss#w0rd$<b>&"q\'\\%_`|~=\u00e9'
const escaped = secret.replace(
  /[^]/g,
  (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
)

interface Trial {
  /** The secret with an invisible text between its letters. */
  broken: string
  /** The same text in a JSON string. */
  json: string
}

const trials: Trial[] = ['', '\u001b[1;31m', '\u001b]0;title\u0007', '\u202e', '\u200b', '\0'].map(
  (between) => {
    const broken = Array.from(secret).join(between)
    return { broken, json: JSON.stringify(broken).slice(1, -1) }
  },
)
trials.push({ broken: secret, json: escaped })

const json = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }

/** For each channel, the text that its reader sees if the service says `before <text> after`. */
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
    const target = { project: text, automation: text, webhookGiven: false }
    const parts = { failure: raisedError, log: text }
    return asPage(summaryOf({ ...failedWith(text), target }, parts, secrets.show))
  },
  'a text in the summary': ({ broken }, secrets) => {
    const result = { ...json, name: 'r.txt', mediaType: 'text/plain' }
    return resultPage(`before ${broken} after`, secrets, result)
  },
  'rows in the summary': (given, secrets) =>
    resultPage(`[{"a":"before ${given.json} after"},{"before ${given.json} after":1}]`, secrets),
  'an object in the summary': (given, secrets) =>
    resultPage(
      `{"a":"before ${given.json} after","before ${given.json} after":[[{"${given.json}":["${given.json}"]}]]}`,
      secrets,
    ),
  'a list in the summary': (given, secrets) =>
    resultPage(`[["before ${given.json} after"],"${given.json}"]`, secrets),
  'the record in the artifact': ({ broken }, secrets) => {
    const text = `before ${broken} after`
    const status = { ...record({ finished: true }), exec_uuid: text }
    const followed = followedMembers(reportOf(collected({ status })), secrets.show)
    const run = { executionId: text, conclusion: 'error', attempts: 1, duration: 1 } as const
    const files = { resultFile: undefined, logFile: undefined }
    const step = { project: text, automation: text, workflowRun: {}, linkOf: () => text }
    const facts = { ...run, ...files, cause: text, followed }
    return asParsed(JSON.stringify(runMembers(facts, step, secrets.show)))
  },
  'the executions in the summary': ({ broken }, secrets) =>
    asPage(summaryOf(reportOf(collected(), executionsThat(broken)), {}, secrets.show)),
  'the executions in the record': ({ broken }, secrets) => {
    const report = reportOf(collected(), executionsThat(broken))
    return asParsed(JSON.stringify(followedMembers(report, secrets.show)))
  },
  'the line of a retry': ({ broken }, secrets) => {
    const span = { pause: 1, next: 2, max: 3 }
    return asPrinted(describeRetry(executionsThat(broken), span, secrets.show))
  },
}

function executionsThat(broken: string): { executions: Execution[] } {
  const text = `before ${broken} after`
  return { executions: [executionOf({ executionId: text, cause: { text } })] }
}

function failedWith(text: string): RunReport {
  return reportOf(collected({ outcome: 'error', cause: { text } }))
}

function print(secrets: Secrets, act: (log: ReturnType<typeof createLog>) => void): string {
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
  act(createLog(console, secrets, true))
  return asPrinted(printed.join('\n'))
}

function annotate(text: string, secrets: Secrets) {
  return describeFailure(raisedError, failedWith(text), undefined, secrets.show)
}

function resultPage(text: string, secrets: Secrets, head = json): string {
  return asPage(summaryOf(reportOf(), { result: { ...head, text } }, secrets.show))
}

describe('a secret, with or without invisible characters between its letters,', () => {
  it.each(Object.entries(channels))('is not shown in %s', (_name, show) => {
    const secrets = new Secrets(() => undefined)
    secrets.add(secret)
    for (const trial of trials) {
      const shown = show(trial, secrets)
      expect(shown).not.toContain(secret)
      expect(shown).toContain('before *** after')
    }
  })

  it.each(Object.entries(channels))('is shown in %s if it is not secret', (_name, show) => {
    const trial = { broken: 'a\u001b[1m@b#c1', json: 'a\\u0040b#c1' }
    expect(show(trial, new Secrets(() => undefined))).toContain('before a@b#c1 after')
  })
})
