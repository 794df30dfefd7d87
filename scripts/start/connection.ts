import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { describeAutomations, readAutomations } from './automations.ts'
import { faults } from './faults.ts'
import { type StartOptions, UsageError } from './options.ts'

/** The service to run against. */
export interface Connection extends AsyncDisposable {
  /** The name of the service in printed texts. */
  name: string
  /** What people should know before the step begins. Undefined if there is nothing to say. */
  remark?: string
  /** Inputs for this service, for example its address. No action has all of these inputs. */
  inputs: Record<string, string>
}

const needed = {
  'base-url': 'AUTOMATION_BASE_URL',
  'api-token': 'AUTOMATION_API_TOKEN',
  'api-key': 'AUTOMATION_API_KEY',
}
/** Default inputs for a first try of the sandbox, by action. */
const firstTry: Readonly<Record<string, Record<string, string>>> = {
  run: { seed: '{ "region": "north", "days": 7 }' },
  batch: { seeds: '[{"city": "Oslo"}, {"city": "Bern"}, {"town": "Lima"}]', label: 'city' },
  'create-project': { region: 'eu-west-1', 'docker-version': '3.13', name: 'marketing' },
}
const failsOnPurpose =
  'One of the three runs fails on purpose, to show a failure. So the step fails too, with exit code 1.'

const optional = {
  'status-base-url': 'AUTOMATION_STATUS_BASE_URL',
  project: 'AUTOMATION_PROJECT',
}

/**
 * Connects to the service that the environment names, or to a new sandbox if it names none.
 *
 * @throws UsageError if a variable is missing, or an option does not fit the service.
 */
export async function connect(
  options: StartOptions,
  environment: NodeJS.ProcessEnv,
): Promise<Connection> {
  const named = Object.entries({ ...needed, ...optional })
    .map(([input, variable]) => [input, environment[variable] ?? ''] as const)
    .filter(([, value]) => value !== '')
  const inputs: Record<string, string> = { project: 'sales', ...Object.fromEntries(named) }
  if (named.every(([input]) => input === 'project')) return connectSandbox(inputs, options)
  const missing = Object.values(needed).filter((variable) => !environment[variable])
  if (missing.length > 0)
    throw new UsageError(
      `To run against a service of your own, set ${missing.join(' and ')} too. To run against the sandbox, unset the AUTOMATION_… variables.`,
    )
  if (options.fault !== undefined) throw new UsageError('--fault: only the sandbox has faults')
  if (options.name === 'wait' && options.inputs['execution-id'] === undefined) {
    throw new UsageError('To wait in a service of your own, give --input execution-id=ID')
  }
  const nothing = () => Promise.resolve()
  return { name: inputs['base-url'] ?? '', inputs, [Symbol.asyncDispose]: nothing }
}

async function connectSandbox(
  inputs: Record<string, string>,
  { name, automation, seed, fault, rerun, inputs: given }: StartOptions,
): Promise<Connection> {
  const isFirstTry =
    name === 'run' ? automation === 'daily_report' && !rerun : !('seeds-file' in given)
  const automations = await readAutomations()
  if (automation !== undefined && !automations.has(automation)) {
    const list = describeAutomations(automations)
    throw new UsageError(`--automation: the sandbox has no ${automation}; it has\n${list}`)
  }
  const sandbox = await openSandbox()
  const { baseUrl, apiToken, apiKey } = sandbox
  const isStarted = name === 'wait' && given['execution-id'] === undefined
  const started = isStarted ? { 'execution-id': await start(sandbox, automation, seed) } : {}
  const injected = fault === undefined ? undefined : faults[fault]
  if (injected) sandbox.faults.inject(injected)
  const { times = 1, on } = injected ?? {}
  const hit = `${times} ${on} request${times === 1 ? '' : 's'}`
  return {
    name: `the sandbox at ${baseUrl}${injected ? `, with the fault ${fault} in ${hit}` : ''}`,
    inputs: {
      ...inputs,
      ...(isFirstTry ? firstTry[name] : {}),
      ...started,
      'base-url': baseUrl,
      'api-token': apiToken,
      'api-key': apiKey,
      // Checks of the sandbox cost nothing, so the interval is short.
      'poll-interval': '1s',
    },
    ...(isFirstTry && name === 'batch' ? { remark: failsOnPurpose } : {}),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

/** Starts a run for the action `wait`, and returns its execution id. */
async function start(
  { baseUrl, apiToken, apiKey }: Sandbox,
  automation = '',
  seed = '{}',
): Promise<string> {
  const response = await fetch(`${baseUrl}/api/start-automation/sales/${automation}`, {
    method: 'POST',
    headers: {
      authorization: `Token ${apiToken}`,
      'x-api-key': apiKey,
      'content-type': 'application/json',
    },
    body: `{"seed":${seed}}`,
  })
  const answer = (await response.json()) as { execution_id?: string; message?: string }
  if (answer.execution_id === undefined) throw new UsageError(`--seed: ${answer.message ?? ''}`)
  return answer.execution_id
}
