import { describe, expect, it } from '@jest/globals'
import { addressOf, type IdentityParts, signWith } from '../../../../src/runner/record/identity.ts'

const credentials = { apiToken: 'token-1', apiKey: 'key-1' }
const parts: IdentityParts = {
  job: 'report',
  matrix: '{"city":"Bern"}',
  step: 'daily',
  rerunKey: '',
  baseUrl: 'https://automations.example',
  project: 'demo',
  automation: 'daily_report',
  webhook: '',
  seed: '{"day":1}',
}

function address(more: Partial<IdentityParts> = {}, given = credentials) {
  return addressOf({ ...parts, ...more }, '4200', signWith(given))
}

describe('the identity of a step', () => {
  it('is the same in each attempt', () => {
    expect(address().stepPrefix).toBe(
      'run-automation-4200-c4fea362da894110-3ef19c26-914b7f028231f9fd4745b02adb510c73-',
    )
    expect(address().fileName).toBe('4200-c4fea362da894110-4e709c240c50ee15')
  })

  it.each(Object.keys(parts) as (keyof IdentityParts)[])('changes with %s', (part) => {
    const other = address({ [part]: 'other' })
    expect([other.stepPrefix, other.fileName]).not.toContain(address().stepPrefix)
    expect(other.fileName).not.toBe(address().fileName)
  })

  it('changes if text moves from one part to the next', () => {
    const shifted = address({ project: 'dem', automation: 'odaily_report' })
    expect(shifted.stepPrefix).not.toBe(address().stepPrefix)
  })

  it('cannot be computed without both credentials', () => {
    for (const other of [{ apiToken: 'token-2' }, { apiKey: 'key-2' }]) {
      const guessed = address({}, { ...credentials, ...other })
      expect(guessed.stepPrefix.split('-').at(-2)).not.toBe(address().stepPrefix.split('-').at(-2))
      expect(guessed.credentialsPrefix).not.toBe(address().credentialsPrefix)
    }
  })

  it('shares its place with the same step under other credentials, and with no other step', () => {
    const { placePrefix: place, credentialsPrefix: own, stepPrefix: step } = address()
    expect([own.startsWith(place), step.startsWith(own)]).toEqual([true, true])
    expect(address({}, { apiToken: 'token-2', apiKey: 'key-2' }).placePrefix).toBe(place)
    expect(address({ step: 'other' }).placePrefix).not.toBe(place)
  })
})
