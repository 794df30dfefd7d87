/** Tests that the pages name the same limits and pauses as the sources. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { maxResult, maxResults } from '../../src/actions/batch/batch-files.ts'
import { maxValidationsAfterDeadline } from '../../src/actions/batch/follow-seeds.ts'
import { maxPrintedLogs } from '../../src/actions/batch/publish-batch.ts'
import { maxStatusTime, maxTryTime } from '../../src/actions/set-commit-status.ts'
import { maxLogOutput, maxLogShown, maxResultOutput } from '../../src/actions/publish-files.ts'
import { maxResultLines } from '../../src/actions/publish-run.ts'
import { maxOnlyCheck } from '../../src/actions/wait.ts'
import { maxAfterDeadline } from '../../src/download/collect.ts'
import {
  firstPause as firstLinkPause,
  maxPause as maxLinkPause,
  minFailures,
  minOutage,
} from '../../src/download/retry.ts'
import { maxRedirects, maxStall } from '../../src/download/store.ts'
import { maxDownloads } from '../../src/execution/batch/follow-batch.ts'
import { checksPerSecond } from '../../src/execution/batch/request-gate.ts'
import { maxBeginTime } from '../../src/actions/begin-step.ts'
import { firstPause, maxPause as maxPauseOfRetry } from '../../src/execution/follow-run.ts'
import { grace, longGrace } from '../../src/execution/seen.ts'
import {
  usualLastCheckTime,
  maxPause as maxPollPause,
  maxPauseAfterFailure,
  shareOfAge,
} from '../../src/execution/watch.ts'
import { maxOutput as maxResultsOutput } from '../../src/messages/batch/runs.ts'
import { maxRunRows } from '../../src/messages/summary/batch-summary.ts'
import { maxLogLines } from '../../src/messages/summary/render.ts'
import {
  maxPoints,
  maxReadColumns,
  maxShownRows,
  maxWhole,
} from '../../src/messages/summary/rows.ts'
import { maxColumns } from '../../src/messages/summary/table.ts'
import { maxLineLength } from '../../src/runner/log.ts'
import { maxMessage } from '../../src/runner/outputs.ts'
import { maxTimeToEnd } from '../../src/runner/cancellation.ts'
import { maxParallel } from '../../src/runner/inputs/read-batch.ts'
import { maxRetries } from '../../src/runner/inputs/read.ts'
import { maxTimeout, parseDuration } from '../../src/runner/inputs/readings.ts'
import { maxBytes as maxSchemaSize } from '../../src/runner/inputs/result-schema.ts'
import { maxLabelLength, maxListSize, maxSeeds } from '../../src/runner/inputs/seed-list.ts'
import { maxSeedSize } from '../../src/runner/inputs/seed.ts'
import {
  firstSaveAfter,
  maxCloseTime,
  maxTimeAfterSignal,
  maxPause as maxSavePause,
  minPause as minSavePause,
} from '../../src/runner/record/record-state.ts'
import {
  maxFileSize as maxRecordSize,
  maxFindTime,
  maxTryTime as maxCacheTry,
} from '../../src/runner/record/record-store.ts'
import {
  maxValidating,
  maxCompiling,
  maxHeap,
} from '../../src/runner/result-schema/compiled-schema.ts'
import { maxProblems } from '../../src/runner/result-schema/compile.ts'
import { maxMegabytes } from '../../src/runner/result-schema/worker.ts'
import { lingering } from '../../src/runner/step.ts'
import { maxSilence, maxUploadTime } from '../../src/runner/storage/step-storage.ts'
import { maxLink } from '../../src/service/contract.ts'
import { maxIdLength } from '../../src/service/names.ts'
import {
  firstRetryPause,
  lastAnswerTime,
  maxRetryPause,
  maxRetryTime,
} from '../../src/service/send-at-most-once.ts'
import { transportLimits } from '../../src/service/transport.ts'

const seconds = (span: number) => `${span / 1000} s`
const minutes = (span: number) => `${span / 60_000} min`
const hours = (span: number) => `${span / 3_600_000} h`
const kib = (bytes: number) => `${bytes / 2 ** 10} KiB`
const mib = (bytes: number) => `${bytes / 2 ** 20} MiB`
const count = (number: number) => number.toLocaleString('en')

/** The words of one line of a page. `{}` stands for the next number, and `…` for any words. */
type Phrase = [words: string, ...numbers: string[]]

const phrases: Record<string, Phrase[]> = {
  'docs/reference/run.md': [
    ['`timeout`…up to {}', maxTimeout],
    ['`retries`…from 0 to {}', count(maxRetries)],
    ['`retries`…from {} to {}', seconds(firstPause), seconds(maxPauseOfRetry)],
    ['`print-log`…last {}', mib(maxLogShown)],
    ['`print-log`…in a batch, {} of all logs', mib(maxPrintedLogs)],
    ['`seed-file`…{}', mib(maxSeedSize)],
    ['`result`…at most {}', kib(maxResultOutput)],
    ['`log`…last {}', kib(maxLogOutput)],
  ],
  'docs/reference/batch.md': [
    ['`seeds`…{} seeds', count(maxSeeds)],
    ['`seeds-file`…{} seeds and {}', count(maxSeeds), mib(maxListSize)],
    ['`label`…{} characters', count(maxLabelLength)],
    ['`max-parallel`…from 1 to {}', count(maxParallel)],
    ['`results`…above {}', kib(maxResultsOutput)],
    ['`results-file`…at most {} ({} in all)', mib(maxResult), mib(maxResults)],
  ],
  'docs/reference/start.md': [['again for up to {}', seconds(maxStatusTime)]],
  'docs/limits.md': [
    ['`result`…{}', kib(maxResultOutput)],
    ['`log`…{}', kib(maxLogOutput)],
    ['log…{}', mib(maxLogShown)],
    ['result…first {} lines', count(maxResultLines)],
    ['line of the log…{} characters', count(maxLineLength)],
    ['`message`…{} characters', count(maxMessage)],
    ['summary…{} rows', count(maxShownRows)],
    ['summary…{} rows', count(maxRunRows)],
    ['summary…{} columns', count(maxColumns)],
    ['summary…{} lines', count(maxLogLines)],
    ['`timeout`…{} days', count((parseDuration(maxTimeout) ?? 0) / 86_400_000)],
    ['{} %…{}', count(shareOfAge * 100), seconds(maxPollPause)],
    [
      'start…{} for its answer; sent again for {}',
      seconds(transportLimits.post),
      seconds(maxRetryTime),
    ],
    ['{} for one last check, {} for a start', seconds(usualLastCheckTime), seconds(lastAnswerTime)],
    ['`timeout: 0s`…{}', seconds(maxOnlyCheck)],
    ['download…{} failures (after {}', count(minFailures), seconds(minOutage)],
    ['download…{} after `timeout`', minutes(maxAfterDeadline)],
    ['download…{} without a byte', seconds(maxStall)],
    ['upload…{}', minutes(maxSilence)],
    ['upload…{}', hours(maxUploadTime)],
    ['answer…{}', mib(transportLimits.answer)],
    ['`seed-file`…{}', mib(maxSeedSize)],
    ['{} seeds in {}', count(maxSeeds), mib(maxListSize)],
    ['{} runs', count(maxParallel)],
    ['{}…checks', count(checksPerSecond)],
    ['{} downloads', count(maxDownloads)],
    ['`results`', kib(maxResultsOutput)],
  ],
  'docs/batch.md': [
    ['at most {} status checks a second', count(checksPerSecond)],
    ['Maximum number of runs…{}', count(maxSeeds)],
  ],
  'docs/waiting.md': [['within {}', seconds(maxPollPause)]],
  'docs/reruns.md': [
    ['died in the first {}', seconds(firstSaveAfter)],
    ['after {}, with a warning', seconds(maxBeginTime)],
    ['answers 404 for {}', seconds(grace)],
  ],
  'docs/contributing/record.md': [
    ['- {} after the first start', seconds(firstSaveAfter)],
    ['most runs below {} save nothing', seconds(firstSaveAfter)],
    ['double from {} to {}', seconds(minSavePause), minutes(maxSavePause)],
    ['JSON file of at most {}', mib(maxRecordSize)],
    ['Reading takes at most {}', seconds(maxFindTime)],
    ['delays the end of the step by at most {}', seconds(maxCloseTime)],
    ['until {} after the signal', seconds(maxTimeAfterSignal)],
    ['no answer within {}', seconds(maxCacheTry)],
  ],
  'docs/results.md': [
    ['schema has at most {}', mib(maxSchemaSize)],
    ['first {} problems', count(maxProblems)],
    ['larger than {}', mib(maxMegabytes * 2 ** 20)],
    ['must compile in {}', seconds(maxCompiling)],
    ['may take {} and {} GiB', seconds(maxValidating), count(maxHeap / 1024)],
    ['not validated yet have {}', seconds(maxValidationsAfterDeadline)],
    ['first {} rows and {} columns', count(maxShownRows), count(maxColumns)],
    ['has at most {}', mib(maxWhole)],
    ['more than {} columns', count(maxReadColumns)],
    ['A line** for 3 to {} rows', count(maxPoints)],
  ],
  'docs/troubleshooting.md': [
    ['first {}.', count(maxProblems)],
    ['took more than {}', seconds(maxValidating)],
    ['answered 404 for {}', seconds(grace)],
    ['422 for {} minutes', count(longGrace / 60_000)],
    ['within {} after the cancellation', seconds(maxTimeToEnd)],
    ['nothing for {}', seconds(maxStall)],
  ],
  'docs/contributing/service.md': [
    ['{} without a byte', seconds(maxStall)],
    ['After {} failures', count(minFailures)],
    ['before {} have passed', seconds(minOutage)],
    ['grow from {} to {}', seconds(firstLinkPause), seconds(maxLinkPause)],
    ['ends {} after', minutes(maxAfterDeadline)],
    ['at most {} with an https', kib(maxLink)],
    ['{} redirects', count(maxRedirects)],
    ['send it again for {}', seconds(maxRetryTime)],
    ['The pause grows from {} to {}', seconds(firstRetryPause), seconds(maxRetryPause)],
    ['sent gets {} more', seconds(lastAnswerTime)],
    ['doubles up to {}', seconds(maxPauseAfterFailure)],
    ['the same for {}', seconds(grace)],
    ['422…the same for {}', minutes(longGrace)],
    ['web page…the same for {}', minutes(longGrace)],
    ['connection or a check may take {}', seconds(transportLimits.connect)],
    ['connection or a check may take {}', seconds(transportLimits.get)],
    ['no answer within {}', seconds(transportLimits.post)],
    ['id may have {} characters', count(maxIdLength)],
    ['gets {} to finish', seconds(grace)],
  ],
  'SECURITY.md': [
    ['an answer gets {}', seconds(maxTryTime)],
    ['answers end at {}', mib(transportLimits.answer)],
  ],
  'ARCHITECTURE.md': [
    ['{} checks a second', count(checksPerSecond)],
    ['{} after its verdict', seconds(lingering)],
  ],
}

const escape = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

/** Returns an expression that matches the words with these numbers, but not with longer ones. */
function patternOf(words: string, numbers: readonly string[]): RegExp {
  const [first = '', ...others] = words
    .split('{}')
    .map((part) => part.split('…').map(escape).join('.*'))
  const after = others.map(
    (part, index) => `(?<![\\d.,])${escape(numbers[index] ?? '')}(?!\\w)${part}`,
  )
  return new RegExp([first, ...after].join(''))
}

function missingIn(page: string, text: string): string[] {
  const missing = (phrases[page] ?? []).filter(
    ([words, ...numbers]) => !patternOf(words, numbers).test(text),
  )
  return missing.map(([words, ...numbers]) =>
    numbers.reduce((all, number) => all.replace('{}', number), words),
  )
}

it.each(Object.keys(phrases))('%s has the numbers of the sources', (page) => {
  expect(missingIn(page, readFileSync(path.join(root, page), 'utf8'))).toEqual([])
})

it('the README names the defaults of its inputs', async () => {
  const { run } = await readActionFiles()
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const named = [...readme.matchAll(/^\| `(?<name>[a-z-]+)` +\| `(?<text>[^`]+)` +\|/gm)]
  const wrong = named.filter(({ groups }) => {
    const input = run.inputs[groups?.['name'] ?? '']
    return input && input.default !== groups?.['text']
  })
  expect(named.length).toBeGreaterThan(1)
  expect(wrong.map(([row]) => row)).toEqual([])
})
