/** Checks that the first line of a re-run says how the earlier execution stands. */
import { outcomeOf } from './execution-plan.ts'
import type { FinishedStep } from './finished-step.ts'
import { check, type Violation } from './invariants.ts'
import { hasLastingFlag, isFinalRefusal, isMissing, lastRecord } from './proven-by-checks.ts'
import type { ActionName } from './step-plan.ts'
import { refusesCredentials, type Exchange, type Seen, type StatusRecord } from './traffic.ts'

/** What a re-run could know when it wrote its first line. */
interface Known {
  /** What the record says: `started`, `unknown` or `reported`. Undefined without a record. */
  recorded: string | undefined
  /** The end that the record says was reported. */
  reported: string | undefined
  isReused: boolean
  isCancelled: boolean
  /** True if the record may be unreadable. */
  isCacheBroken: boolean
  checks: readonly Exchange[]
  last: Seen | undefined
  /** The newest status of the execution that the service sent. */
  status: StatusRecord | undefined
}

interface Row {
  line: RegExp
  /** Returns true if the line is right. `end` is the end that the line names. */
  applies: (known: Known, end: string) => boolean
  takenOverBy: readonly ActionName[]
}

const nobody: readonly ActionName[] = []
const both: readonly ActionName[] = ['run', 'start']

/** The table of re-runs (docs/reruns.md). It must not use the product's code. */
const rows: readonly Row[] = [
  {
    line: /^No earlier attempt left a record of this step/,
    applies: ({ recorded }) => recorded === undefined,
    takenOverBy: nobody,
  },
  {
    line: /^warning: The record of an earlier attempt of this job could not be read/,
    applies: ({ isCacheBroken, checks }) => isCacheBroken && checks.length === 0,
    takenOverBy: nobody,
  },
  {
    line: /^This step was cancelled while it looked for the runs/,
    applies: ({ isCancelled, checks }) => isCancelled && checks.length === 0,
    takenOverBy: both,
  },
  {
    line: /^warning: Attempt \d+ of this job may or may not have started a run/,
    applies: ({ recorded }) => recorded === 'unknown',
    takenOverBy: nobody,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ ended with (\S+), and that attempt published it/,
    applies: ({ reported, isReused, checks }, end) =>
      reported === end && checks.length === 0 && !(isReused && end === 'success'),
    takenOverBy: nobody,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ is still running\./,
    applies: ({ status }) => status?.finished === false,
    takenOverBy: both,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ ended with success, and on-rerun is reuse\./,
    applies: ({ isReused, status }) => isReused && hasEndedWith('success', status),
    takenOverBy: both,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ ended with (success) \(no attempt has reported this yet\)/,
    applies: ({ isReused, status }) => !isReused && hasEndedWith('success', status),
    takenOverBy: ['run'],
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ ended with (error|container-error|stopped) \(no attempt has reported this yet\)/,
    applies: ({ status, checks }, end) =>
      status !== undefined &&
      outcomeOf(status) === end &&
      (status.finished || hasLastingFlag(checks)),
    takenOverBy: nobody,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ cannot be checked \(/,
    applies: ({ checks, last }) => refusesCredentials(last) && isFinalRefusal(checks),
    takenOverBy: both,
  },
  {
    line: /^warning: For 30 s the service did not know execution /,
    applies: ({ checks }) => isMissing(checks),
    takenOverBy: nobody,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ may still be running(?: \(|: no status check got a proper answer)/,
    applies: ({ status, last }) => status === undefined && !refusesCredentials(last),
    takenOverBy: both,
  },
  {
    line: /^(?:warning: )?Execution .+ of attempt \d+ was being checked when this step was cancelled\./,
    // A flag without `finished` must be confirmed, so the checks go on after it.
    applies: ({ isCancelled, status }) =>
      isCancelled && (!status || (!status.finished && outcomeOf(status) !== 'success')),
    takenOverBy: both,
  },
]

/** Checks the first line of a re-run, and that the step does what this line says. */
export function checkFirstLine(step: FinishedStep): Violation[] {
  const { plan, run, traffic } = step
  const { introducedAt } = run.recorded
  const isRerun = Number(plan.variables['GITHUB_RUN_ATTEMPT']) > 1 && plan.onRerun !== 'start'
  if (!isRerun || introducedAt === undefined) return []
  const said = run.recorded.shown().flatMap((line) => {
    const row = rows.find((each) => each.line.test(line))
    return row ? [{ line, row }] : []
  })
  const [first] = said
  // If the signal came at the very time of an answer, the step may not know the answer.
  const isRight =
    said.length === 1 &&
    [introducedAt, run.cancelledAt ?? introducedAt].some(
      (moment, index) => first && isTrue(first, knownAt(moment, index === 1, step), plan.action),
    )
  const later = traffic.exchanges.filter(({ sentAt }) => sentAt >= introducedAt)
  const asSaid = first && doesAsSaid(first.line, later)
  const why = said.map(({ line }) => line).join(' | ')
  return [
    ...check(isRight, invariant, why),
    ...check(asSaid !== false, invariant, `not done: ${why}`),
  ]
}

const invariant = 'first lines of re-runs that contradict the service'

/** Returns what the step knew at a moment. If `isBefore` is true, the moment itself is excluded. */
function knownAt(moment: number, isBefore: boolean, { plan, run, traffic }: FinishedStep): Known {
  const [, recorded, reported] =
    /-\d+-(unknown|started|reported)(?:-([a-z-]+))?(?:-[0-9a-f]+)?-[0-9a-f]{32}$/.exec(
      traffic.recordFound ?? '',
    ) ?? []
  const checks = traffic.of('status').filter(({ at }) => (isBefore ? at < moment : at <= moment))
  return {
    recorded,
    reported,
    isReused: plan.onRerun === 'reuse',
    isCancelled: (run.cancelledAt ?? Infinity) <= moment,
    isCacheBroken: traffic.cacheFaults > 0,
    checks,
    last: checks.at(-1)?.seen,
    status: lastRecord(checks),
  }
}

function isTrue({ line, row }: { line: string; row: Row }, known: Known, action: ActionName) {
  const [, end = ''] = row.line.exec(line) ?? []
  const startsNothing = row.takenOverBy.includes(action)
  return row.applies(known, end) && line.includes('starts nothing') === startsNothing
}

function hasEndedWith(end: string, status: StatusRecord | undefined): boolean {
  return status !== undefined && status.finished && outcomeOf(status) === end
}

/** Returns false if requests contradict the line: a start, or a check of a replaced execution. */
function doesAsSaid(line: string, later: readonly Exchange[]): boolean {
  const [first] = later
  if (!line.includes('starts nothing')) return first?.route !== 'status'
  const isOver = /publishes its result|outputs the id|cannot be checked|was being checked/.test(
    line,
  )
  return first?.route !== 'start' && !(isOver && later.some(({ route }) => route === 'start'))
}
