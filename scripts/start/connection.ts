import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { UsageError } from './options.ts'

/** The service to run against, as the inputs that lead to it. */
export interface Connection extends AsyncDisposable {
  /** For people: which service this is. */
  name: string
  inputs: Record<string, string>
  project: string
  /** Whether checking often is free of charge. */
  isLocal: boolean
}

const variables = {
  'base-url': 'AUTOMATION_BASE_URL',
  'api-token': 'AUTOMATION_API_TOKEN',
  'api-key': 'AUTOMATION_API_KEY',
}
const statusVariable = 'AUTOMATION_STATUS_BASE_URL'

/**
 * The service that the environment names, or a fresh sandbox when it names none.
 *
 * @throws UsageError when the environment names it by halves.
 */
export async function connect(environment: NodeJS.ProcessEnv): Promise<Connection> {
  const named = environment['AUTOMATION_PROJECT'] ?? ''
  const project = named === '' ? 'demo' : named
  const names = Object.values(variables)
  const missing = names.filter((name) => !environment[name])
  const isNamed = missing.length < names.length || Boolean(environment[statusVariable])
  if (!isNamed) return connectSandbox(project)
  if (missing.length > 0)
    throw new UsageError(
      `To run against a service of your own, set ${missing.join(' and ')} too; unset the AUTOMATION_… variables to run against the sandbox.`,
    )
  const inputs = Object.entries({ ...variables, 'status-base-url': statusVariable })
    .map(([input, name]) => [input, environment[name] ?? ''] as const)
    .filter(([, value]) => value !== '')
  return {
    name: environment[variables['base-url']] ?? '',
    inputs: Object.fromEntries(inputs),
    project,
    isLocal: false,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
}

async function connectSandbox(project: string): Promise<Connection> {
  const sandbox = await openSandbox()
  return {
    name: `the sandbox at ${sandbox.baseUrl}`,
    inputs: {
      'base-url': sandbox.baseUrl,
      'api-token': sandbox.apiToken,
      'api-key': sandbox.apiKey,
    },
    project,
    isLocal: true,
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}
