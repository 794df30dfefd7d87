import { expect, it } from '@jest/globals'
import { makeAutomations } from './support/automations.ts'
import { openWorkflowRun } from './support/workflow-run.ts'

it('a result of 64 MiB is checked, one byte more is invalid, and a check may take 2 GiB', async () => {
  const giant = `
    const body = seed.begin + seed.fill.repeat(seed.count) + seed.end
    return { contentType: 'application/json', body }`
  await using automations = await makeAutomations({ giant })
  await using run = await openWorkflowRun({ automations: automations.folder })
  const limit = 64 * 2 ** 20
  const seeds = [
    { begin: '', fill: ' ', count: limit - 1, end: '1' },
    { begin: '', fill: ' ', count: limit, end: '1' },
    // The place of each problem has this name of 4 MiB. The tilde makes each place a copy.
    { begin: '{"~', fill: 'a', count: 2 ** 22 - 2, end: `":[${'1,'.repeat(999)}1]}` },
  ]
  const inputs = {
    seeds: JSON.stringify(seeds),
    'result-schema': '{"additionalProperties": {"items": {"type": "string"}}}',
  }
  await using step = await run.attempt(1, { action: 'batch', automation: 'giant', inputs })
  const results = JSON.parse(step.outputs['results'] ?? '[]') as {
    cause: string | null
    conclusion: string
  }[]

  expect(results.map(({ cause }) => cause)).toEqual([
    null,
    'The result: it is larger than 64 MiB, the most that is checked',
    'the run ended well, but its result was not validated: Worker terminated due to reaching memory limit: JS heap out of memory',
  ])
  expect(results.map(({ conclusion }) => conclusion)).toEqual([
    'success',
    'invalid-result',
    'unknown',
  ])
})
