import path from 'node:path'
import type { Environment } from '../../src/runner/environment.ts'
import { readActionFile } from '../runner/action-file.ts'
import type { Caller } from './secrets.ts'
import type { ActionName, StepPlan } from './step-plan.ts'

const read = async (folder: string) => (await readActionFile(folder)).defaults

/** The default values of the inputs, from each `action.yml`. */
const defaults: Record<ActionName, Record<string, string>> = {
  run: await read('.'),
  start: await read('start'),
  wait: await read('wait'),
  batch: await read('batch'),
  'create-project': await read('create-project'),
}

/** A file that is used as a folder path. Writing below this path fails on every system. */
export const fullDisk = 'full'

export const seedsFile = 'seeds.jsonl'

/** Returns the environment variables of a step. `folder` is the folder for all files. */
export function environmentFor(
  { action, inputs, full, variables }: StepPlan,
  executionId: string,
  caller: Caller,
  folder: string,
): Environment {
  const offered: Record<string, string> = {
    ...connectionOf(caller),
    ...subjects[action],
    'execution-id': executionId,
    // In action.yml, the default values of these two inputs are expressions.
    'commit-sha': '',
    'github-token': caller.githubToken.value,
    ...inputs,
    'upload-artifact': 'false',
  }
  const declared = Object.entries(defaults[action]).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    offered[name] ?? value,
  ])
  return {
    ...(Object.fromEntries(declared) as Record<string, string>),
    ...(action === 'create-project' || action === 'wait' ? {} : webhookOf(caller)),
    ...variables,
    RUNNER_TEMP: full === 'temp' ? path.join(folder, fullDisk) : folder,
    GITHUB_WORKSPACE: folder,
    GITHUB_REPOSITORY: 'octo/reports',
    GITHUB_STEP_SUMMARY: path.join(folder, full === 'summary' ? fullDisk : '', 'summary.md'),
  }
}

const automation = { project: 'chaos/project', automation: 'daily report' }

const subjects: Record<ActionName, Record<string, string>> = {
  run: automation,
  start: automation,
  wait: {},
  batch: automation,
  'create-project': { name: 'chaos', region: 'eu-1', 'docker-version': '3.12' },
}

function connectionOf({ apiToken, apiKey }: Caller): Record<string, string> {
  return {
    'base-url': 'https://automations.example',
    'api-token': apiToken.value,
    'api-key': apiKey.value,
  }
}

function webhookOf({ header, password }: Caller): Record<string, string> {
  return {
    INPUT_WEBHOOK: `https://user:${password.value}@hooks.example/done`,
    'INPUT_WEBHOOK-HEADERS': `X-Signature: ${header.value}`,
  }
}
