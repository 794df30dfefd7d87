/** The peak memory of the action's process. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { runStep } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'

/** Bytes. With the upload, as most people run it. */
export async function peakMemory(resultMegabytes: number): Promise<number> {
  await using sandbox = await openSandbox()
  const { baseUrl, apiToken, apiKey } = sandbox
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  const report = path.join(folder, 'peak')
  const probe = pathToFileURL(path.join(import.meta.dirname, 'report-peak.mjs')).href
  await using step = await runStep({
    action: '.',
    inputs: {
      'base-url': baseUrl,
      'api-token': apiToken,
      'api-key': apiKey,
      project: 'demo',
      automation: 'big-export',
      seed: JSON.stringify({ resultMegabytes, logMegabytes: 1 }),
      'poll-interval': '1s',
    },
    env: { NODE_OPTIONS: `--import ${probe}`, BENCH_PEAK_FILE: report },
  })
  if (step.exitCode !== 0) throw new Error(`the step failed:\n${step.log}`)
  const peak = Number(await readFile(report, 'utf8'))
  await rm(folder, { recursive: true })
  return peak
}
