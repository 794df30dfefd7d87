/** What one execution will do, decided before it starts. All spans count from its start. */
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
  /** How it ends. */
  flags: Flags
  /** So many executions in a row end like that, if one is started again; the next one succeeds. */
  failures: number
  /** How long before its end each flag is seen: the order of flags and `finished` is left open. */
  lead: Record<keyof Flags, number>
  /** A flag that is taken back. */
  flicker: { flag: keyof Flags; from: number; to: number } | undefined
  /** Until then the status route does not know it. */
  hiddenFor: number
  /** The same of those that follow it: longer than a 404 is waited for. */
  retriesHiddenFor: number
  /** What the service says of it since an attempt of the job was over, where that has changed. */
  change?: 'failed since' | 'runs again' | 'gone since' | 'without files since'
  /** From then on the credentials are refused; `Infinity`: never. */
  revokedAt: number
  /** What it leaves. */
  result: Content | undefined
  log: Content | undefined
}

/** What decides how long an execution had better last to be of interest. */
export interface JobSpan {
  /** Of the step, in milliseconds. */
  timeout: number
  /** How often the job runs, at most. */
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
  // So that many an execution still runs when its job runs again.
  const long = attempts > 1 ? 8 : 2
  return random.weigh([
    [2, () => random.between(0, 5_000)],
    [5, () => random.sizeBetween(5_000, 600_000)],
    [long, () => random.sizeBetween(600_000, 10_800_000)],
    // The end and the deadline meet.
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

/** The plan of execution number `count` of a scenario. */
export function planOf(plan: ExecutionPlan, count: number): ExecutionPlan {
  const flags = { error: false, stopped: false, container_error: false }
  const hiddenFor = count === 1 ? plan.hiddenFor : plan.retriesHiddenFor
  return { ...plan, hiddenFor, ...(count > plan.failures && { flags }) }
}

/** The plan of one that had succeeded at this age, of which the service says another thing then. */
export function changedPlan(plan: ExecutionPlan, age: number, random: SeededRandom): ExecutionPlan {
  const flags = { ...plan.flags, error: true }
  return random.pick<() => ExecutionPlan>([
    () => ({ ...plan, change: 'failed since', flags }),
    () => ({ ...plan, change: 'runs again', duration: age + random.between(1_000, 300_000) }),
    () => ({ ...plan, change: 'gone since', hiddenFor: Infinity }),
    () => ({ ...plan, change: 'without files since' }),
  ])()
}

/** What the service knows of it at an age. */
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
