import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { UsageError } from './options.ts'

/** The service to run against. */
export interface Connection extends AsyncDisposable {
  /** For people: which service this is. */
  name: string
  /** What leads to it, by input; no action has all of these. */
  inputs: Record<string, string>
}

const needed = {
  'base-url': 'AUTOMATION_BASE_URL',
  'api-token': 'AUTOMATION_API_TOKEN',
  'api-key': 'AUTOMATION_API_KEY',
}
const optional = {
  'status-base-url': 'AUTOMATION_STATUS_BASE_URL',
  project: 'AUTOMATION_PROJECT',
}

/**
 * The service that the environment names, or a fresh sandbox when it names none.
 *
 * @throws UsageError when the environment names it by halves.
 */
export async function connect(environment: NodeJS.ProcessEnv): Promise<Connection> {
  const named = Object.entries({ ...needed, ...optional })
    .map(([input, variable]) => [input, environment[variable] ?? ''] as const)
    .filter(([, value]) => value !== '')
  const inputs: Record<string, string> = { project: 'demo', ...Object.fromEntries(named) }
  if (named.every(([input]) => input === 'project')) return connectSandbox(inputs)
  const missing = Object.values(needed).filter((variable) => !environment[variable])
  if (missing.length > 0)
    throw new UsageError(
      `To run against a service of your own, set ${missing.join(' and ')} too; unset the AUTOMATION_… variables to run against the sandbox.`,
    )
  const nothing = () => Promise.resolve()
  return { name: inputs['base-url'] ?? '', inputs, [Symbol.asyncDispose]: nothing }
}

async function connectSandbox(inputs: Record<string, string>): Promise<Connection> {
  const sandbox = await openSandbox()
  const { baseUrl, apiToken, apiKey } = sandbox
  return {
    name: `the sandbox at ${baseUrl}`,
    inputs: {
      ...inputs,
      'base-url': baseUrl,
      'api-token': apiToken,
      'api-key': apiKey,
      // Nobody pays for a check there, and nobody wants to wait for the next one.
      'poll-interval': '1s',
    },
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}
