/** Secrets of the simulation, and texts of a service that repeat them. */
import type { SeededRandom } from './seeded-random.ts'

/** A secret. Every spelling except base64 contains the core unchanged. */
export interface Secret {
  value: string
  core: string
}

export function drawSecret(random: SeededRandom, prefix: string, suffix = ''): Secret {
  const core = random.digits(28)
  return { core, value: `${prefix}${core}${suffix}` }
}

/** Searches for parts of secrets, because half a secret is a leak, too. */
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

/** Returns an error text that repeats the secrets. */
export function echo(secrets: readonly Secret[], random: SeededRandom): string {
  const padding = 'x'.repeat(random.chance(0.4) ? random.whole(0, random.pick([1_500, 4_500])) : 0)
  const repeated = secrets.map(({ value }) => random.pick(spellings)(value)).join(' and ')
  return `${padding} invalid: ${repeated}. Try again`
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64')
}

/** The secrets that a workflow gives to the action. */
export interface Caller {
  apiToken: Secret
  apiKey: Secret
  header: Secret
  password: Secret
  /** Used for commit statuses. The service never gets it. */
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
