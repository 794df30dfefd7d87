import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import {
  countOccurrence,
  identityOf,
  type IdentityParts,
} from '../../../../src/runner/memory/identity.ts'

const parts: IdentityParts = {
  job: 'report',
  matrix: '{"city":"Bern"}',
  step: 'daily',
  baseUrl: 'https://automations.example',
  project: 'demo',
  automation: 'daily_report',
  webhook: '',
  seed: '{"day":1}',
  rerunKey: '',
}

describe('the identity of a step', () => {
  it('is frozen: another version of the action finds what this one left', () => {
    expect(identityOf(parts, 0)).toBe('97bb89c61a11dd99bf36c7bcabaf617a')
  })

  it.each(Object.keys(parts) as (keyof IdentityParts)[])('is another with another %s', (part) => {
    expect(identityOf({ ...parts, [part]: 'other' }, 0)).not.toBe(identityOf(parts, 0))
  })

  it('is another for the second step that has all of it in common', () => {
    expect(identityOf(parts, 1)).not.toBe(identityOf(parts, 0))
  })

  it('does not run the end of one part into the beginning of the next', () => {
    const shifted = { ...parts, project: 'dem', automation: 'odaily_report' }
    expect(identityOf(shifted, 0)).not.toBe(identityOf(parts, 0))
  })
})

describe('the count of steps alike', () => {
  it('begins anew with each attempt, and each workflow run', async () => {
    await using temporary = await makeTemporaryFolder()
    const place = { folder: temporary.path, runId: '7', attempt: '1' }
    expect(await countOccurrence('a', place)).toBe(0)
    expect(await countOccurrence('b', place)).toBe(0)
    expect(await countOccurrence('a', place)).toBe(1)
    expect(await countOccurrence('a', { ...place, attempt: '2' })).toBe(0)
    expect(await countOccurrence('a', { ...place, runId: '8' })).toBe(0)
  })
})
