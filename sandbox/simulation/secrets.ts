/** What must never be shown, and how a service may repeat it all the same. */
import type { SeededRandom } from './seeded-random.ts'

/** A secret; its core is a part that every spelling of it has in common, but base64. */
export interface Secret {
  value: string
  core: string
}

export function drawSecret(random: SeededRandom, prefix: string, suffix = ''): Secret {
  const core = random.digits(28)
  return { core, value: `${prefix}${core}${suffix}` }
}

/** Looks for parts, since half a secret is a leak, too; they are too long to occur by chance. */
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

/** An error text that repeats what was sent. */
export function echo(secrets: readonly Secret[], random: SeededRandom): string {
  const padding = 'x'.repeat(random.chance(0.4) ? random.whole(0, random.pick([1_500, 4_500])) : 0)
  const repeated = secrets.map(({ value }) => random.pick(spellings)(value)).join(' and ')
  return `${padding} invalid: ${repeated}. Try again`
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64')
}

/** The secrets of whoever uses the action. */
export interface Caller {
  apiToken: Secret
  apiKey: Secret
  header: Secret
  password: Secret
  /** For commit statuses: the service never gets it. */
  githubToken: Secret
}

export function drawCaller(random: SeededRandom): Caller {
  return {
    apiToken: drawSecret(random, 'tk_"'),
    apiKey: drawSecret(random, 'k\\~', '/+=&'),
    header: drawSecret(random, 'hook é '),
    password: drawSecret(random, ''),
    githubToken: drawSecret(random, 'ghs_'),
  }
}

export function secretsOf({ apiToken, apiKey, header, password }: Caller): Secret[] {
  return [apiToken, apiKey, header, password]
}
