import path from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../src/errors.ts'
import { faults } from './faults.ts'
import { actionFiles, type ActionName } from '../docs/action-files.ts'

/** The command line or the environment is wrong. `npm start` prints the message and ends with 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `name` is the name of the action, `action` is its folder, `inputs` are those that the options give. */
export interface StartOptions {
  name: string
  action: string
  inputs: Record<string, string>
  /** Undefined for create-project, which has no automation. */
  automation: string | undefined
  /** The text of `--seed`. */
  seed: string | undefined
  /** One of the names in faults.ts. */
  fault: string | undefined
  /** True to run the job a second time, as GitHub's re-run buttons do. */
  rerun: boolean
}

export const help = `Runs one of the bundled actions the way GitHub's runner does, against a local sandbox.

  npm start -- [options]

  --automation NAME    the automation to start (default: daily_report; for batch, city-report)
  --list               list the automations, and what each one shows
  --seed JSON          the seed, a JSON object
  --seeds FILE         the seeds of a batch: a JSON array, or one JSON object per line (default in the
                       sandbox: three seeds, one of them wrong)
  --action ACTION      run (default), start, wait, batch or create-project; wait first starts
                       --automation with --seed
  --fault NAME         a fault of the sandbox: ${Object.keys(faults).slice(0, 5).join(', ')},
                       ${Object.keys(faults).slice(5).join(', ')}
  --input NAME=VALUE   any other input of the action, for example timeout=90s; may be given several
                       times
  --rerun              runs two attempts of one job, with the action run or start; the second takes
                       over the run that the first started (default automation: slow-count)
  --help               shows this text

If AUTOMATION_BASE_URL, AUTOMATION_API_TOKEN and AUTOMATION_API_KEY are set, the action runs against
that service instead of the sandbox. Set AUTOMATION_STATUS_BASE_URL if its status route has another
address. The project is AUTOMATION_PROJECT, or sales if that is not set. RUNNER_DEBUG=1 shows debug
lines. The exit code is that of the step, or 2 if the command line or the environment is wrong.`

/**
 * Reads the command line. Returns `help` or `list` if the user asks only for this text.
 *
 * @throws UsageError for options that are unknown, incomplete, or wrong for the action.
 */
export function readOptions(
  words: string[],
  environment: NodeJS.ProcessEnv = {},
): StartOptions | 'help' | 'list' {
  refuseOptionsOfNpm(environment)
  const values = parseWords(words)
  if (values.help) return 'help'
  if (values.list) return 'list'
  const name = values.action
  if (!isAction(name))
    throw new UsageError(
      `--action: expected ${Object.keys(actionFiles).join(', ')}; found ${JSON.stringify(name)}`,
    )
  const starts = name === 'run' || name === 'start' || name === 'batch'
  const inputs: Record<string, string> = {}
  const fresh = name === 'batch' ? 'city-report' : 'daily_report'
  const byDefault = values.rerun ? 'slow-count' : fresh
  if (!starts && name !== 'wait') refuse(values, ['automation', 'seed'], name)
  const { seed, fault } = values
  const isStarted = starts || name === 'wait'
  const automation = isStarted ? (values.automation ?? byDefault) : undefined
  if (starts && automation !== undefined) inputs['automation'] = automation
  refuse(values, [name === 'batch' ? 'seed' : 'seeds'], name)
  if (values.rerun && name !== 'run' && name !== 'start') {
    throw new UsageError(`--rerun: expected the action run or start; found ${name}`)
  }
  if (fault !== undefined && !Object.hasOwn(faults, fault)) {
    const list = Object.keys(faults).join(', ')
    throw new UsageError(`--fault: expected ${list}; found ${JSON.stringify(fault)}`)
  }
  if (seed !== undefined && starts) inputs['seed'] = seed
  if (values.seeds !== undefined) inputs['seeds-file'] = resolve(values.seeds, environment)
  Object.assign(inputs, Object.fromEntries(values.input.map(splitInput)))
  const { rerun } = values
  const action = path.dirname(actionFiles[name])
  return { name, action, inputs, automation, seed, fault, rerun }
}

function isAction(name: string): name is ActionName {
  return Object.hasOwn(actionFiles, name)
}

// Without the `--`, npm takes `--seed={}` as an option of its own and does not pass it on.
function refuseOptionsOfNpm(environment: NodeJS.ProcessEnv): void {
  for (const name of ['automation', 'seed', 'seeds', 'action', 'input', 'rerun', 'fault', 'list'])
    if (environment[`npm_config_${name}`] !== undefined)
      throw new UsageError(`npm used --${name} itself. Write npm start -- --${name} …`)
}

// npm changes to the folder of package.json and passes the folder from which it was called. The
// step has a workspace of its own.
function resolve(file: string, environment: NodeJS.ProcessEnv): string {
  return path.resolve(environment['INIT_CWD'] ?? '.', file)
}

function parseWords(words: string[]) {
  try {
    return parseArgs({
      args: words,
      options: {
        automation: { type: 'string' },
        seed: { type: 'string' },
        seeds: { type: 'string' },
        action: { type: 'string', default: 'run' },
        input: { type: 'string', multiple: true, default: [] },
        rerun: { type: 'boolean', default: false },
        fault: { type: 'string' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

function refuse(values: Record<string, unknown>, names: string[], action: string): void {
  for (const name of names)
    if (values[name] !== undefined)
      throw new UsageError(`--${name}: the action ${action} has no such input`)
}

function splitInput(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 1)
    throw new UsageError(`--input: expected NAME=VALUE; found ${JSON.stringify(text)}`)
  return [text.slice(0, equals), text.slice(equals + 1)]
}
