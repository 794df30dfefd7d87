import { describe, expect, it } from '@jest/globals'
import type { SeedList } from '../../../../src/execution/batch/seed-list.ts'
import { type JournalInputs, subjectOf } from '../../../../src/runner/memory/step-journal.ts'
import { identifyStep } from '../../../../src/runner/memory/step-memory.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const seeds: SeedList = { seeds: [], total: 0 }

function inputs(list: Partial<JournalInputs['list']> = {}): JournalInputs {
  const baseUrl = 'https://automations.example'
  const credentials = {
    authorizationScheme: 'token',
    apiToken: 'secret',
    apiKey: 'secret',
  } as const
  return {
    connection: { ...credentials, baseUrl, statusBaseUrl: baseUrl },
    target: { project: 'demo', automation: 'daily_report' },
    delivery: {},
    list: { seeds, ...list },
    again: { onRerun: 'resume', rerunKey: '', matrix: 'null' },
    retrying: { retries: 0, retryOn: new Set() },
  }
}

/** The identity of the first step alike in a job. */
async function identify(given: JournalInputs): Promise<string> {
  await using temporary = await makeTemporaryFolder()
  const environment = { GITHUB_RUN_ID: '7', GITHUB_JOB: 'report', GITHUB_ACTION: 'daily' }
  return await identifyStep(subjectOf(given), { ...environment, RUNNER_TEMP: temporary.path })
}

describe('the identity of a batch', () => {
  it('is frozen: another version of the action finds what this one left', async () => {
    expect(await identify(inputs())).toBe('b2ecb5332ad3390f5e2a9adc5c00a81a')
  })

  it('has the shard in the place of the seed; a list in one piece is a shard too', async () => {
    const whole = await identify(inputs())
    const first = await identify(inputs({ shard: { index: 0, total: 2 } }))
    const second = await identify(inputs({ shard: { index: 1, total: 2 } }))
    expect(new Set([whole, first, second]).size).toBe(3)
    expect(await identify(inputs({ shard: { index: 0, total: 1 } }))).toBe(whole)
  })

  it('is the same for a list that has grown', async () => {
    const grown = { seeds: { ...seeds, total: 9 } }
    expect(await identify(inputs(grown))).toBe(await identify(inputs()))
  })
})
