/** What must never be seen, and how a stranger may say it all the same. */
import type { Dice } from './dice.ts'

/** A secret; its core is a part that every spelling of it has in common, but base64. */
export interface Secret {
  value: string
  core: string
}

export function drawSecret(dice: Dice, prefix: string, suffix = ''): Secret {
  const core = dice.digits(28)
  return { core, value: `${prefix}${core}${suffix}` }
}

/** Parts long enough to be no accident: half a secret is a leak, too. */
export function findSecret(text: string, secrets: readonly Secret[]): Secret | undefined {
  return secrets.find(({ core, value }) =>
    [core.slice(0, 10), core.slice(-10), base64(value)].some((part) => text.includes(part)),
  )
}

const spellings = [
  (value: string) => value,
  (value: string) => value,
  (value: string) => JSON.stringify(value),
  (value: string) => encodeURIComponent(value),
  (value: string) => base64(value),
]

/** An error text that repeats what it was sent, as careless services do. */
export function echo(secrets: readonly Secret[], dice: Dice): string {
  const padding = 'x'.repeat(dice.chance(0.4) ? dice.whole(0, dice.pick([1_500, 4_500])) : 0)
  const said = secrets.map(({ value }) => dice.pick(spellings)(value)).join(' and ')
  return `${padding} invalid: ${said}. Try again`
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64')
}
