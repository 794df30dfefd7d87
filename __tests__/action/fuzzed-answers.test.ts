import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { violations } from '../fuzz/cases.ts'
import { checkLink, linkCases } from '../fuzz/link.ts'
import { checkStart, startCases } from '../fuzz/start.ts'
import { checkStatus, statusCases } from '../fuzz/status.ts'
import type { Perform } from '../fuzz/step.ts'
import { annotationsOf } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

/** How many cases a route gets through the bundles; `fuzz/` has many more, without them. */
const count = Number(process.env['FUZZ_BUNDLED'] ?? 6)
// Milliseconds. A case may wait through pauses between links, and a silence of 30 s.
const longest = 60_000 + count * 20_000

const perform: Perform = async (action, baseUrl) => {
  const inputs = action === 'wait' ? { 'execution-id': 'e-1', timeout: '15s' } : {}
  const sandbox = { baseUrl, apiToken: 'token-7f3a', apiKey: 'key-91bc' }
  await using step = await runAction({ sandbox, action, inputs })
  const file = step.outputs['result-file'] ?? ''
  return {
    passed: step.exitCode === 0,
    hung: false,
    errors: annotationsOf(step, 'error').map(({ message }) => message),
    result: file === '' ? undefined : await readFile(file),
  }
}

it(
  'through the bundles, fuzzed answers do no more harm',
  async () => {
    expect([
      await violations(startCases, (given) => checkStart(given, perform), count),
      await violations(statusCases, (given) => checkStatus(given, perform), count),
      await violations(linkCases, (given) => checkLink(given, perform), count),
    ]).toEqual([[], [], []])
  },
  longest,
)
