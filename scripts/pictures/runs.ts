import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'

/** What a step left that people look at. */
export interface Run {
  name: string
  log: string
  summary: string
}

/** A name of the kind that people give, and the automation of the sandbox behind it. */
const automations = {
  visitors: 'chart-series',
  daily_report: 'broken-report',
  customers: 'echo',
  foreign_feed: 'hostile-log',
}

/** Of all scripts and widths: what makes a page too wide, or turns it round. */
const customers = {
  note: 'w'.repeat(300),
  rows: [
    { name: 'שלום עולם', city: 'مدينة الكويت', since: 2019, mail: 'a\tb@example.com' },
    { name: '👩‍👩‍👧‍👦 family & sons <ltd>', city: '東京都', since: 1.0, mail: '$x$ #1 @everyone' },
    { name: `long ${'x'.repeat(300)}`, city: '', since: 1e30, mail: null },
  ],
}

/**
 * Real runs of the bundled action: one that succeeds, with rows, and one that raises; then what
 * strangers may write.
 */
export async function performRuns(): Promise<Run[]> {
  await using sandbox = await openSandbox({
    projects: { sales: Object.keys(automations) },
    aliases: automations,
  })
  return [
    await perform('success', { automation: 'visitors', seed: '{ "days": 7 }' }, sandbox),
    await perform('failure', { automation: 'daily_report' }, sandbox),
    await perform('scripts', { automation: 'customers', seed: JSON.stringify(customers) }, sandbox),
    await perform('hostile', { automation: 'foreign_feed', seed: '{ "fail": true }' }, sandbox),
  ]
}

async function perform(
  name: string,
  inputs: Record<string, string>,
  { baseUrl, apiToken, apiKey }: Sandbox,
): Promise<Run> {
  const connection = { 'base-url': baseUrl, 'api-token': apiToken, 'api-key': apiKey }
  await using temporary = await makeFolder()
  await using step = await runStep({
    action: '.',
    inputs: { ...connection, project: 'sales', 'poll-interval': '1s', ...inputs },
    workspace: temporary.folder,
  })
  // A runner's folder, and not the machine's that drew the picture.
  const log = step.log.replaceAll(step.temp, '/home/runner/work/_temp')
  return { name, log, summary: step.summary }
}

async function makeFolder() {
  const folder = await mkdtemp(path.join(tmpdir(), 'pictures-'))
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
