/** Checks that the counts, the files and the conclusion of a batch agree with its runs. */
import type { Row } from './batch-files.ts'
import { conclusionOf, isLate, type FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { provesNoStart } from './traffic.ts'

const kinds: Readonly<Record<string, readonly string[]>> = {
  succeeded: ['success'],
  failed: ['error', 'container-error', 'stopped', 'invalid-result', 'refused'],
  unknown: ['unknown'],
  unfinished: ['timed-out', 'cancelled'],
  'not-started': ['not-started'],
}

export function checkBatchReport(step: FinishedStep): Violation[] {
  const { run, files, plan } = step
  const { rows } = files.batch ?? {}
  const seeds = plan.batch?.seeds ?? []
  // A step that failed before its work began has no conclusion and no files.
  if (conclusionOf(run) === '') return []
  if (!rows) {
    return check(false, 'batches with wrong counts or missing files', 'there is no results-file')
  }
  const isInOrder = rows.every(
    ({ number, label }, at) => number === at + 1 && label === seeds[at]?.label,
  )
  const wrong = [...wrongCounts(rows, step), ...wrongSeeds(rows, step)]
  const conclusion = whyNotConcluded(rows, step)
  const succeeded = rows.flatMap((row) => (row.conclusion === 'success' ? [row.execution_id] : []))
  return [
    ...check(wrong.length === 0, 'batches with wrong counts or missing files', wrong.join('; ')),
    ...check(
      rows.length === seeds.length && isInOrder,
      'batches whose results are not in the order of the seeds',
      rows.map(({ number }) => number).join(),
    ),
    ...check(
      new Set(succeeded).size === succeeded.length,
      'one execution for runs with different seeds',
      succeeded.join(),
    ),
    ...check(
      conclusion === undefined,
      'conclusions of batches that contradict their runs',
      conclusion ?? '',
    ),
  ]
}

/** Returns texts about outputs whose count of runs differs from the rows of the results. */
function wrongCounts(rows: readonly Row[], { run, plan }: FinishedStep): string[] {
  const found = Object.entries(kinds).map(([name, conclusions]) => {
    const count = rows.filter(({ conclusion }) => conclusions.includes(conclusion)).length
    return [name, count] as const
  })
  const sum = found.reduce((all, [, count]) => all + count, 0)
  const expected = [...found, ['total', plan.batch?.seeds.length ?? 0] as const]
  const wrong = expected.filter(([name, count]) => run.recorded.output(name) !== String(count))
  return [
    ...wrong.map(([name, count]) => `${name} is ${run.recorded.output(name)}, not ${count}`),
    ...(sum === rows.length ? [] : ['a run is in no count']),
  ]
}

/** Checks `failed-seeds-file`: the unchanged seeds of runs that failed or were not started. */
function wrongSeeds(rows: readonly Row[], { files, plan, run }: FinishedStep): string[] {
  const again = rows.filter(({ conclusion }) =>
    [...(kinds['failed'] ?? []), ...(kinds['not-started'] ?? [])].includes(conclusion),
  )
  const expected = again.map(({ number }) => `${plan.batch?.seeds[number - 1]?.text}\n`).join('')
  // A cancelled step may have no time to write the file.
  const { failedSeeds = run.cancelledAt === undefined ? 'none' : expected } = files.batch ?? {}
  return failedSeeds === expected ? [] : [`failed seeds: ${failedSeeds}`]
}

function whyNotConcluded(rows: readonly Row[], step: FinishedStep): string | undefined {
  const { run } = step
  const conclusion = conclusionOf(run)
  if (conclusion === 'cancelled') return run.cancelledAt === undefined ? conclusion : undefined
  const isSuccess = rows.every((row) => row.conclusion === 'success')
  const isTimedOut = rows.some((row) => row.conclusion === 'timed-out')
  const isNotStarted = rows.some((row) => row.conclusion === 'not-started')
  const allowed = isSuccess ? ['success'] : isTimedOut ? ['timed-out'] : ['failure']
  if (!isSuccess && isNotStarted && isLate(step)) allowed.push('timed-out')
  return allowed.includes(conclusion) ? undefined : `${conclusion}, not ${allowed.join(' or ')}`
}

/** Returns true if the batch was not cancelled and no run makes the step fail. */
export function shouldBatchPass(step: FinishedStep): boolean {
  const { rows } = step.files.batch ?? {}
  if (!rows || conclusionOf(step.run) === 'cancelled') return false
  return rows.every((row) => mayPass(row, step))
}

const outOfTime = 'the input timeout ran out'

function mayPass(row: Row, step: FinishedStep): boolean {
  const { plan, context } = step
  const { conclusion, cause, number, result_file: file } = row
  if (conclusion === 'success') {
    const isWhole = file !== null || !context.runs[number - 1]?.objects.result
    return cause === null && (isWhole || isResultGone(row, step))
  }
  // A run that was not started because the time was up counts as timed out.
  const isPrevented = cause === outOfTime || isHeldUntilTheEnd(row, step)
  const counted = conclusion === 'not-started' && isPrevented ? 'timed-out' : conclusion
  const optional = ['error', 'container-error', 'stopped', 'timed-out']
  return optional.includes(counted) && !plan.failOn.includes(counted)
}

/** Returns true if the time was up while the service asked the start of the run to wait. */
function isHeldUntilTheEnd({ number }: Row, step: FinishedStep): boolean {
  const own = step.context.runs[number - 1]?.service
  // A try that was cut when the time was up says nothing about the service.
  const last = step.traffic
    .of('start')
    .findLast(({ service, seen }) => service === own && seen.kind === 'answer')
  return isLate(step) && last !== undefined && provesNoStart(last.seen)
}

/** Returns true if the service no longer has the result, which then looks like one not kept. */
function isResultGone({ number, execution_id: id }: Row, { context }: FinishedStep): boolean {
  const execution = context.runs[number - 1]?.service.executions.find(id ?? '')
  return execution?.plan.change === 'now without files'
}
