/** Measures one step against the sandbox: the time after its run, its memory and its timers. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'

export interface MeasuredStep {
  /** Milliseconds from the run's end at the service to the check that reported it. */
  noticed: number
  /** Milliseconds from that check to the step's end, including the upload of the artifact. */
  published: number
  /** The peak memory in bytes. */
  peak: number
  /** The longest delay of a timer (for example, for a line of progress) in milliseconds. */
  late: number
}

const probe = pathToFileURL(path.join(import.meta.dirname, 'probe.mjs')).href

export async function measureStep(automation: string, seed = {}): Promise<MeasuredStep> {
  await using sandbox = await openSandbox()
  await using step = await runStep({
    action: '.',
    inputs: {
      'base-url': sandbox.baseUrl,
      'api-token': sandbox.apiToken,
      'api-key': sandbox.apiKey,
      project: 'demo',
      automation,
      seed: JSON.stringify(seed),
      'poll-interval': '1s',
    },
    env: { NODE_OPTIONS: `--import ${probe}` },
  })
  if (step.exitCode !== 0) throw new Error(`the step failed:\n${step.log}`)
  const runEndedAt = sandbox.executions[0]?.finishedAt ?? NaN
  const noticedAt = sandbox.requests.findLast(({ kind }) => kind === 'status')?.at ?? NaN
  const probed = await readFile(path.join(step.temp, 'probe.json'), 'utf8')
  const seen = JSON.parse(probed) as Pick<MeasuredStep, 'peak' | 'late'>
  return { ...seen, noticed: noticedAt - runEndedAt, published: step.endedAt - noticedAt }
}
