/** The limits and pauses of the sources, as the pages name them. */
import { maxResult, maxResults } from '../../src/actions/batch/batch-files.ts'
import { maxValidationsAfterDeadline } from '../../src/actions/batch/follow-seeds.ts'
import { maxPrintedLogs } from '../../src/actions/batch/publish-batch.ts'
import { maxStatusTime, maxStatusTry } from '../../src/actions/set-commit-status.ts'
import { maxLogOutput, maxLogShown, maxResultOutput } from '../../src/actions/publish-files.ts'
import { maxResultLines } from '../../src/actions/publish-run.ts'
import { maxOnlyCheck } from '../../src/actions/wait.ts'
import { maxAfterDeadline } from '../../src/download/collect.ts'
import {
  firstDownloadPause,
  maxDownloadPause,
  minFailures,
  minOutage,
} from '../../src/download/retry.ts'
import { maxRedirects, maxStall } from '../../src/download/store.ts'
import { maxDownloads } from '../../src/execution/batch/follow-batch.ts'
import { firstStartPause, maxStartPause } from '../../src/execution/batch/pace.ts'
import { checksPerSecond } from '../../src/execution/batch/request-gate.ts'
import { unclearFor } from '../../src/execution/batch/run-seed.ts'
import { maxBeginTime } from '../../src/actions/only-run.ts'
import { firstRunRetryPause, maxRunRetryPause } from '../../src/execution/follow-run.ts'
import { grace, longGrace } from '../../src/execution/seen.ts'
import {
  usualLastCheckTime,
  maxPollPause,
  maxPauseAfterFailure,
  shareOfAge,
} from '../../src/execution/watch.ts'
import { maxResultsOutput } from '../../src/messages/batch/runs.ts'
import { maxRunRows } from '../../src/messages/summary/batch-summary.ts'
import { maxLogLines } from '../../src/messages/summary/render.ts'
import {
  maxPoints,
  maxReadColumns,
  maxRow,
  maxShownRows,
  maxWhole,
} from '../../src/messages/summary/rows.ts'
import { maxColumns } from '../../src/messages/summary/table.ts'
import { maxLineLength } from '../../src/runner/log.ts'
import { maxMessage } from '../../src/runner/outputs.ts'
import { maxTimeToEnd } from '../../src/runner/cancellation.ts'
import { maxParallel, maxRetries } from '../../src/runner/inputs/read-inputs.ts'
import { maxTimeout, parseDuration } from '../../src/runner/inputs/readings.ts'
import { maxSchemaSize } from '../../src/runner/inputs/result-schema.ts'
import { maxLabelLength, maxListSize, maxSeeds } from '../../src/runner/inputs/seed-list.ts'
import { maxSeedSize } from '../../src/runner/inputs/seed.ts'
import {
  firstSaveAfter,
  maxCloseTime,
  maxTimeAfterSignal,
  maxSavePause,
  minSavePause,
} from '../../src/runner/record/record-state.ts'
import { maxRecordSize, maxFindTime, maxCacheTry } from '../../src/runner/record/record-store.ts'
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
  maxRefusedTime,
  maxRetryPause,
  maxRetryTime,
} from '../../src/service/send-at-most-once.ts'
import { transportLimits } from '../../src/service/transport.ts'

type Numbers = Record<string, number>

/** Writes each number in its unit, as the pages do. */
const inUnit = (numbers: Numbers, size: number, unit: string) =>
  Object.entries(numbers).map(
    ([name, number]) => [name, `${(number / size).toLocaleString('en')}${unit}`] as const,
  )

/** The text of each bound, by its name. */
export const bounds = new Map([
  ...inUnit(
    {
      checksPerSecond,
      maxColumns,
      maxDownloads,
      maxIdLength,
      maxLabelLength,
      maxLineLength,
      maxLogLines,
      maxMessage,
      maxParallel,
      maxPoints,
      maxProblems,
      maxReadColumns,
      maxRedirects,
      maxResultLines,
      maxRetries,
      maxRunRows,
      maxSeeds,
      maxShownRows,
      minFailures,
    },
    1,
    '',
  ),
  ...inUnit(
    {
      answerToCheck: transportLimits.get,
      answerToStart: transportLimits.post,
      firstStartPause,
      firstDownloadPause,
      firstRetryPause,
      firstRunRetryPause,
      firstSaveAfter,
      grace,
      lastAnswerTime,
      lingering,
      maxStartPause,
      maxBeginTime,
      maxCacheTry,
      maxCloseTime,
      maxCompiling,
      maxDownloadPause,
      maxFindTime,
      maxOnlyCheck,
      maxPauseAfterFailure,
      maxPollPause,
      maxRefusedTime,
      maxRetryPause,
      maxRetryTime,
      maxRunRetryPause,
      maxStall,
      maxStatusTime,
      maxStatusTry,
      maxTimeAfterSignal,
      maxTimeToEnd,
      maxValidating,
      maxValidationsAfterDeadline,
      minOutage,
      minSavePause,
      timeToConnect: transportLimits.connect,
      usualLastCheckTime,
    },
    1000,
    ' s',
  ),
  ...inUnit({ longGrace, maxAfterDeadline, maxSavePause, maxSilence, unclearFor }, 60_000, ' min'),
  ...inUnit({ maxUploadTime }, 3_600_000, ' h'),
  ...inUnit({ maxDays: parseDuration(maxTimeout) ?? NaN }, 86_400_000, ' days'),
  ...inUnit({ maxLink, maxLogOutput, maxResultOutput, maxResultsOutput, maxRow }, 2 ** 10, ' KiB'),
  ...inUnit(
    {
      answerSize: transportLimits.answer,
      maxListSize,
      maxLogShown,
      maxPrintedLogs,
      maxRecordSize,
      maxResult,
      maxResults,
      maxSchemaSize,
      maxSeedSize,
      maxValidatedSize: maxMegabytes * 2 ** 20,
      maxWhole,
    },
    2 ** 20,
    ' MiB',
  ),
  ...inUnit({ maxHeap }, 2 ** 10, ' GiB'),
  ...inUnit({ shareOfAge }, 0.01, ' %'),
  ['maxTimeout', maxTimeout] as const,
])
