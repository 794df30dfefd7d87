/** What one automation does in its simulated life, decided before it starts. All spans from its start. */
import type { Dice } from './dice.ts'
import { strangeLog, strangeResult, type Content } from './hostile.ts'
import type { Secret } from './secrets.ts'

export interface Flags {
  error: boolean
  stopped: boolean
  container_error: boolean
}

export interface RunPlan {
  duration: number
  /** How it ends. */
  flags: Flags
  /** How long before its end each flag is seen: the order of flags and `finished` is left open. */
  lead: Record<keyof Flags, number>
  /** A flag that is taken back. */
  flicker: { flag: keyof Flags; from: number; to: number } | undefined
  /** Until then the status route does not know it. */
  hiddenFor: number
  /** From then on the credentials are refused; `Infinity`: never. */
  revokedAt: number
  /** What it keeps. */
  result: Content | undefined
  log: Content | undefined
}

export function drawRunPlan(dice: Dice, timeout: number, secrets: readonly Secret[]): RunPlan {
  const duration = drawDuration(dice, timeout)
  const flags = drawFlags(dice)
  const lead = () => (dice.chance(0.6) ? 0 : Math.min(duration, dice.between(0, 90_000)))
  const log = { mediaType: 'text/plain', bytes: strangeLog(dice, secrets) }
  return {
    duration,
    flags,
    lead: { error: lead(), stopped: lead(), container_error: lead() },
    flicker: dice.chance(0.1) ? drawFlicker(dice, duration) : undefined,
    hiddenFor: dice.chance(0.2) ? dice.between(0, 28_000) : 0,
    revokedAt: dice.chance(0.03) ? dice.between(0, duration) : Infinity,
    result: dice.chance(0.85) ? strangeResult(dice, secrets) : undefined,
    log: dice.chance(0.85) ? log : undefined,
  }
}

function drawDuration(dice: Dice, timeout: number): number {
  return dice.weigh([
    [2, () => dice.between(0, 5_000)],
    [5, () => dice.sizeBetween(5_000, 600_000)],
    [2, () => dice.sizeBetween(600_000, 10_800_000)],
    // The end and the deadline meet.
    [2, () => Math.max(1, timeout + dice.between(-3_000, 3_000))],
  ])()
}

function drawFlags(dice: Dice): Flags {
  const none = { error: false, stopped: false, container_error: false }
  return dice.weigh<() => Flags>([
    [10, () => none],
    [3, () => ({ ...none, error: true })],
    [2, () => ({ ...none, container_error: true })],
    [2, () => ({ ...none, stopped: true })],
    [
      3,
      () => ({
        error: dice.chance(0.5),
        stopped: dice.chance(0.5),
        container_error: dice.chance(0.5),
      }),
    ],
  ])()
}

function drawFlicker(dice: Dice, duration: number): RunPlan['flicker'] {
  const from = dice.between(0, duration)
  const to = Math.min(duration, from + dice.between(0, 25_000))
  return { flag: dice.pick(['error', 'stopped', 'container_error']), from, to }
}

/** What the service knows of it at an age. */
export function stateAt(plan: RunPlan, age: number): Flags & { finished: boolean } {
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

/** "Conclusions", read once more: the judge does not ask the accused. */
export function outcomeOf({ error, stopped, container_error: died }: Flags): string {
  if (died) return 'container-error'
  if (error) return 'error'
  return stopped ? 'stopped' : 'success'
}
