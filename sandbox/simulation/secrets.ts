/** Draws secrets, and texts of the service that contain these secrets. */
import type { SeededRandom } from './seeded-random.ts'

/** A secret value. Every encoding except base64 leaves its part `core` unchanged. */
export interface Secret {
  value: string
  core: string
}

export function drawSecret(random: SeededRandom, prefix: string, suffix = ''): Secret {
  const core = random.digits(28)
  return { core, value: `${prefix}${core}${suffix}` }
}

/** Returns a secret of which the text contains a part, because a part is also a leak. */
export function findSecret(text: string, secrets: readonly Secret[]): Secret | undefined {
  return secrets.find(({ core, value }) =>
    [core.slice(0, 10), core.slice(-10), base64(value)].some((part) => text.includes(part)),
  )
}

const encodings = [
  (value: string) => value,
  (value: string) => value,
  (value: string) => JSON.stringify(value),
  (value: string) => encodeURIComponent(value),
  (value: string) => base64(value),
]

/** Returns an error text that contains the secrets. */
export function echo(secrets: readonly Secret[], random: SeededRandom): string {
  const padding = 'x'.repeat(random.chance(0.4) ? random.whole(0, random.pick([1_500, 4_500])) : 0)
  const repeated = secrets.map(({ value }) => random.pick(encodings)(value)).join(' and ')
  return `${padding} invalid: ${repeated}. Try again`
}

function base64(value: string): string {
  return Buffer.from(value).toString('base64')
}

/** The secrets that a workflow passes to the action. */
export interface Caller {
  apiToken: Secret
  apiKey: Secret
  header: Secret
  password: Secret
  /** The token for commit statuses. The service must not receive this token. */
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
