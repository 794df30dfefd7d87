/** Plans what an execution does. All times are milliseconds since the start of the execution. */
import type { SeededRandom } from './seeded-random.ts'
import { untrustedLog, untrustedResult, type Content } from './untrusted-content.ts'
import type { Secret } from './secrets.ts'

export interface Flags {
  error: boolean
  stopped: boolean
  container_error: boolean
}

export interface ExecutionPlan {
  duration: number
  /** The flags at the end of the execution. */
  flags: Flags
  /** How many executions in a row end with these flags. All later executions succeed. */
  failures: number
  /** How long before the end each flag appears. The service documents no order. */
  lead: Record<keyof Flags, number>
  /** True if the service never says `finished` about an execution that has failed. */
  neverFinishes: boolean
  /** A flag that appears and disappears during the execution. */
  flicker: { flag: keyof Flags; from: number; to: number } | undefined
  /** How long the status route answers 404 after the start. */
  hiddenFor: number
  /** The value of `hiddenFor` for later executions. The product may stop waiting before that. */
  retriesHiddenFor: number
  /** How the service changes its answers between two attempts of the job. */
  change?: 'now failed' | 'now running' | 'now missing' | 'now without files'
  /** When the service, or a gateway, begins to refuse all checks. Infinity means never. */
  revokedAt: number
  revokedWith: { status: number; body: unknown }
  /** The result that the execution produces. */
  result: Content | undefined
  log: Content | undefined
}

/** The length of an execution depends on these facts about the job. */
export interface JobSpan {
  /** The `timeout` of the step, in milliseconds. */
  timeout: number
  /** The maximum number of attempts of the job. */
  attempts: number
}

export function drawExecutionPlan(
  random: SeededRandom,
  span: JobSpan,
  secrets: readonly Secret[],
): ExecutionPlan {
  const duration = drawDuration(random, span)
  const flags = drawFlags(random)
  const lead = () => (random.chance(0.6) ? 0 : Math.min(duration, random.between(0, 90_000)))
  const log = { mediaType: 'text/plain', bytes: untrustedLog(random, secrets) }
  const retries = random.fork('hidden retries')
  return {
    duration,
    flags,
    failures: random.fork('failures').pick([1, 2, Infinity]),
    lead: { error: lead(), stopped: lead(), container_error: lead() },
    neverFinishes: random.fork('never finishes').chance(0.2),
    flicker: random.chance(0.1) ? drawFlicker(random, duration) : undefined,
    hiddenFor: random.chance(0.2) ? random.between(0, 28_000) : 0,
    retriesHiddenFor: retries.chance(0.1) ? retries.between(31_000, 59_000) : 0,
    revokedAt: random.chance(0.06) ? random.between(0, duration) : Infinity,
    revokedWith: drawRefusal(random.fork('refusal')),
    result: random.chance(0.85) ? untrustedResult(random, secrets) : undefined,
    log: random.chance(0.85) ? log : undefined,
  }
}

function drawRefusal(random: SeededRandom): ExecutionPlan['revokedWith'] {
  const body = random.pick([{ detail: 'No longer allowed' }, '<html><h1>Forbidden</h1></html>'])
  return { status: random.pick([401, 403, 403, 400, 404, 422]), body }
}

function drawDuration(random: SeededRandom, { timeout, attempts }: JobSpan): number {
  // Many executions must still be running when their job runs again.
  const long = attempts > 1 ? 8 : 2
  return random.weigh([
    [2, () => random.between(0, 5_000)],
    [5, () => random.sizeBetween(5_000, 600_000)],
    [long, () => random.sizeBetween(600_000, 10_800_000)],
    // This execution ends shortly before or after the timeout.
    [2, () => Math.max(1, timeout + random.between(-3_000, 3_000))],
  ])()
}

function drawFlags(random: SeededRandom): Flags {
  const half = () => random.chance(0.5)
  const none = { error: false, stopped: false, container_error: false }
  return random.weigh<() => Flags>([
    [10, () => none],
    [3, () => ({ ...none, error: true })],
    [2, () => ({ ...none, container_error: true })],
    [2, () => ({ ...none, stopped: true })],
    [3, () => ({ error: half(), stopped: half(), container_error: half() })],
  ])()
}

function drawFlicker(random: SeededRandom, duration: number): ExecutionPlan['flicker'] {
  const from = random.between(0, duration)
  const to = Math.min(duration, from + random.between(0, 25_000))
  return { flag: random.pick(['error', 'stopped', 'container_error']), from, to }
}

/** Returns the plan of execution number `count`. The first execution has the number 1. */
export function planOf(plan: ExecutionPlan, count: number): ExecutionPlan {
  const flags = { error: false, stopped: false, container_error: false }
  const hiddenFor = count === 1 ? plan.hiddenFor : plan.retriesHiddenFor
  return { ...plan, hiddenFor, ...(count > plan.failures && { flags }) }
}

/** Returns a changed plan for an execution that has succeeded. */
export function changedPlan(plan: ExecutionPlan, age: number, random: SeededRandom): ExecutionPlan {
  const flags = { ...plan.flags, error: true }
  return random.pick<() => ExecutionPlan>([
    () => ({ ...plan, change: 'now failed', flags }),
    () => ({ ...plan, change: 'now running', duration: age + random.between(1_000, 300_000) }),
    () => ({ ...plan, change: 'now missing', hiddenFor: Infinity }),
    () => ({ ...plan, change: 'now without files' }),
  ])()
}

/** Returns what the service says about the execution at the given age. */
export function stateAt(plan: ExecutionPlan, age: number): Flags & { finished: boolean } {
  const shows = (flag: keyof Flags): boolean => {
    const { flicker, duration } = plan
    if (plan.flags[flag] && age >= duration - plan.lead[flag]) return true
    return flicker?.flag === flag && age >= flicker.from && age < flicker.to
  }
  return {
    finished: age >= plan.duration && !hasNoEnd(plan),
    error: shows('error'),
    stopped: shows('stopped'),
    container_error: shows('container_error'),
  }
}

/** Returns true if the execution fails and the service never says that it has finished. */
export function hasNoEnd({ neverFinishes, flags }: ExecutionPlan): boolean {
  return neverFinishes && outcomeOf(flags) !== 'success'
}

/** Returns the outcome for the flags. This check must not use the product's code. */
export function outcomeOf({ error, stopped, container_error: killed }: Flags): string {
  if (killed) return 'container-error'
  if (error) return 'error'
  return stopped ? 'stopped' : 'success'
}
