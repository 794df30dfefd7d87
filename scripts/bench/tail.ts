/** The time between a run's end, as the service sees it, and the step's end. */
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'

export interface Tail {
  /** Milliseconds from the run's end to the check that told of it. */
  noticed: number
  /** Milliseconds from there to the step's end, artifact uploaded and all. */
  published: number
}

export async function measureTail(rounds: number): Promise<Tail[]> {
  const measured: Tail[] = []
  for (let round = 0; round < rounds; round++) measured.push(await measureOne())
  return measured
}

async function measureOne(): Promise<Tail> {
  await using sandbox = await openSandbox()
  const { baseUrl, apiToken, apiKey } = sandbox
  await using step = await runStep({
    action: '.',
    inputs: {
      'base-url': baseUrl,
      'api-token': apiToken,
      'api-key': apiKey,
      project: 'demo',
      automation: 'word-report',
      'poll-interval': '1s',
    },
  })
  const runEndedAt = sandbox.executions[0]?.finishedAt ?? NaN
  const checks = sandbox.requests.filter(({ kind }) => kind === 'status')
  const noticedAt = checks.at(-1)?.at ?? NaN
  if (step.exitCode !== 0) throw new Error(`the step failed:\n${step.log}`)
  return {
    noticed: noticedAt - runEndedAt,
    published: step.endedAt - noticedAt,
  }
}
