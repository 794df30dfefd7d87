import path from 'node:path'
import type { Environment } from '../../src/runner/inputs/environment.ts'
import { readActionFile } from '../runner/action-file.ts'
import type { Caller } from './secrets.ts'
import type { ActionName, StepPlan } from './step-plan.ts'

const read = async (folder: string) => (await readActionFile(folder)).defaults

/** The inputs' defaults as each `action.yml` has them. */
const defaults: Record<ActionName, Record<string, string>> = {
  run: await read('.'),
  start: await read('start'),
  wait: await read('wait'),
  batch: await read('batch'),
  'create-project': await read('create-project'),
}

/** A file where a folder is expected: nothing can be written below it, on any system. */
export const fullDisk = 'full'

/** Named like what steps download: they hold data, not texts of the action. */
export const copyNames = { result: 'result.copy', log: 'run.log' } as const

/** The list of a batch's seeds. */
export const seedsFile = 'seeds.jsonl'

/** A step's environment variables, as the runner sets them. `folder`: for all that it writes. */
export function environmentFor(
  { action, inputs, full, place, copies }: StepPlan,
  executionId: string,
  caller: Caller,
  { folder, copyFolder }: { folder: string; copyFolder: string },
): Environment {
  const offered: Record<string, string> = {
    ...connectionOf(caller),
    ...subjects[action],
    'execution-id': executionId,
    // Their defaults are expressions.
    'commit-sha': '',
    'github-token': caller.githubToken.value,
    ...inputs,
    'upload-artifact': 'false',
    'save-result-as': copies.includes('result') ? path.join(copyFolder, copyNames.result) : '',
    'save-log-as': copies.includes('log') ? path.join(copyFolder, copyNames.log) : '',
  }
  const declared = Object.entries(defaults[action]).map(([name, value]) => [
    `INPUT_${name.toUpperCase()}`,
    offered[name] ?? value,
  ])
  return {
    ...(Object.fromEntries(declared) as Record<string, string>),
    ...(action === 'create-project' || action === 'wait' ? {} : webhookOf(caller)),
    ...place,
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
