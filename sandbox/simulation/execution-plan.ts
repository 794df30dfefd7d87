/** The plan of an execution, made before its start. All spans are milliseconds from its start. */
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
  /** The flags at its end. */
  flags: Flags
  /** How many executions in a row end with these flags. Later ones succeed. */
  failures: number
  /** How long before its end each flag appears. The service documents no order. */
  lead: Record<keyof Flags, number>
  /** A flag that is withdrawn. */
  flicker: { flag: keyof Flags; from: number; to: number } | undefined
  /** How long the status route answers 404. */
  hiddenFor: number
  /** The same for later executions. It may be longer than the product waits. */
  retriesHiddenFor: number
  /** How the service changed its answers after an attempt of the job. */
  change?: 'failed since' | 'runs again' | 'gone since' | 'without files since'
  /** When the service begins to refuse the credentials. Infinity if never. */
  revokedAt: number
  /** The files that it produces. */
  result: Content | undefined
  log: Content | undefined
}

/** Facts about the job that the length of an execution depends on. */
export interface JobSpan {
  /** The `timeout` of the step, in milliseconds. */
  timeout: number
  /** How often the job runs at most. */
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
    flicker: random.chance(0.1) ? drawFlicker(random, duration) : undefined,
    hiddenFor: random.chance(0.2) ? random.between(0, 28_000) : 0,
    retriesHiddenFor: retries.chance(0.1) ? retries.between(31_000, 59_000) : 0,
    revokedAt: random.chance(0.03) ? random.between(0, duration) : Infinity,
    result: random.chance(0.85) ? untrustedResult(random, secrets) : undefined,
    log: random.chance(0.85) ? log : undefined,
  }
}

function drawDuration(random: SeededRandom, { timeout, attempts }: JobSpan): number {
  // Many executions must still be running when their job runs again.
  const long = attempts > 1 ? 8 : 2
  return random.weigh([
    [2, () => random.between(0, 5_000)],
    [5, () => random.sizeBetween(5_000, 600_000)],
    [long, () => random.sizeBetween(600_000, 10_800_000)],
    // The execution ends near the deadline.
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

/** Returns the plan of execution number `count` of a scenario. */
export function planOf(plan: ExecutionPlan, count: number): ExecutionPlan {
  const flags = { error: false, stopped: false, container_error: false }
  const hiddenFor = count === 1 ? plan.hiddenFor : plan.retriesHiddenFor
  return { ...plan, hiddenFor, ...(count > plan.failures && { flags }) }
}

/** Returns a changed plan for an execution that had succeeded at this age. */
export function changedPlan(plan: ExecutionPlan, age: number, random: SeededRandom): ExecutionPlan {
  const flags = { ...plan.flags, error: true }
  return random.pick<() => ExecutionPlan>([
    () => ({ ...plan, change: 'failed since', flags }),
    () => ({ ...plan, change: 'runs again', duration: age + random.between(1_000, 300_000) }),
    () => ({ ...plan, change: 'gone since', hiddenFor: Infinity }),
    () => ({ ...plan, change: 'without files since' }),
  ])()
}

/** Returns what the service says about the execution at an age. */
export function stateAt(plan: ExecutionPlan, age: number): Flags & { finished: boolean } {
  const shows = (flag: keyof Flags): boolean => {
    const { flicker, duration } = plan
    if (plan.flags[flag] && age >= duration - plan.lead[flag]) return true
    return flicker?.flag === flag && age >= flicker.from && age < flicker.to
  }
  return {
    finished: age >= plan.duration,
    error: shows('error'),
    stopped: shows('stopped'),
    container_error: shows('container_error'),
  }
}

/** The documented precedence of the flags, written independently of the product's code. */
export function outcomeOf({ error, stopped, container_error: killed }: Flags): string {
  if (killed) return 'container-error'
  if (error) return 'error'
  return stopped ? 'stopped' : 'success'
}
