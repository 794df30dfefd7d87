import { execFileSync } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import {
  addressOf,
  countOccurrence,
  type IdentityParts,
  signWith,
} from '../../../../src/runner/record/identity.ts'

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

function address(more: Partial<IdentityParts> = {}, occurrence = 0, given = credentials) {
  return addressOf({ ...parts, ...more }, occurrence, '4200', signWith(given))
}

describe('the identity of a step', () => {
  it('is the same in each attempt', () => {
    expect(address().step).toBe(
      'run-automation-4200-c4fea362da894110-3ef19c26-ed58c1a53117e06821e3820e1b6fa209-',
    )
    expect(address().fileName).toBe('4200-c4fea362da894110-330c6a05a41e1b20')
  })

  it.each(Object.keys(parts) as (keyof IdentityParts)[])('changes with %s', (part) => {
    const other = address({ [part]: 'other' })
    expect([other.step, other.fileName]).not.toContain(address().step)
    expect(other.fileName).not.toBe(address().fileName)
  })

  it('is different for a second step with the same parts', () => {
    expect(address({}, 1).step).not.toBe(address().step)
  })

  it('changes if text moves from one part to the next', () => {
    const shifted = address({ project: 'dem', automation: 'odaily_report' })
    expect(shifted.step).not.toBe(address().step)
  })

  it('cannot be computed without both credentials', () => {
    for (const other of [{ apiToken: 'token-2' }, { apiKey: 'key-2' }]) {
      const guessed = address({}, 0, { ...credentials, ...other })
      expect(guessed.step.split('-').at(-2)).not.toBe(address().step.split('-').at(-2))
      expect(guessed.credentials).not.toBe(address().credentials)
    }
  })

  it('shares its place with the same step under other credentials, and with no other step', () => {
    const { place, credentials: own, step } = address()
    expect([own.startsWith(place), step.startsWith(own)]).toEqual([true, true])
    expect(address({}, 0, { apiToken: 'token-2', apiKey: 'key-2' }).place).toBe(place)
    expect(address({ step: 'other' }).place).not.toBe(place)
  })
})

describe('the count of identical steps', () => {
  const first = { runId: '7', attempt: 1 }
  const nameIn = (folder: string) => path.join(folder, 'run-automation-steps-7-1.txt')

  it('begins anew with each attempt, and each workflow run', async () => {
    await using temporary = await makeTemporaryFolder()
    const place = { folder: temporary.path, ...first }
    expect(await countOccurrence('a', place)).toBe(0)
    expect(await countOccurrence('b', place)).toBe(0)
    expect(await countOccurrence('a', place)).toBe(1)
    expect(await countOccurrence('a', { ...place, attempt: 2 })).toBe(0)
    expect(await countOccurrence('a', { ...place, runId: '8' })).toBe(0)
  })

  it('gives each step its own number, even if the steps run at the same time', async () => {
    await using temporary = await makeTemporaryFolder()
    const place = { folder: temporary.path, ...first }
    const counts = await Promise.all(Array.from({ length: 20 }, () => countOccurrence('a', place)))
    expect(counts.toSorted((one, other) => one - other)).toEqual([...Array(20).keys()])
  })

  it('reads a file of at most 1 MiB', async () => {
    await using temporary = await makeTemporaryFolder()
    const place = { folder: temporary.path, ...first }
    const line = 'a 01234567-89ab-cdef-0123-456789abcdef\n'
    await writeFile(nameIn(temporary.path), `${'\n'.repeat(2 ** 20 - 2 * line.length)}${line}`)
    expect(await countOccurrence('a', place)).toBe(1)
    await expect(countOccurrence('a', place)).rejects.toThrow('it is larger than 1 MiB')
  })

  it('never waits for the other end of a pipe', async () => {
    await using temporary = await makeTemporaryFolder()
    execFileSync('mkfifo', [nameIn(temporary.path)])
    const counting = countOccurrence('a', { folder: temporary.path, ...first })
    const why = 'run-automation-steps-7-1.txt in RUNNER_TEMP cannot be used: not a regular file'
    await expect(counting).rejects.toThrow(why)
  })

  it('reports the error of the system if the folder cannot be made', async () => {
    await using temporary = await makeTemporaryFolder()
    const folder = path.join(temporary.path, 'file')
    await writeFile(folder, '')
    const counting = countOccurrence('a', { folder, ...first })
    await expect(counting).rejects.toThrow(/cannot be used: file already exists \(EEXIST\)$/)
  })

  it('follows no symbolic link, and accepts no folder in place of a file', async () => {
    await using temporary = await makeTemporaryFolder()
    const target = path.join(temporary.path, 'target')
    await writeFile(target, 'kept')
    await symlink(target, nameIn(temporary.path))
    const counting = countOccurrence('a', { folder: temporary.path, ...first })
    await expect(counting).rejects.toThrow('ELOOP')
    expect(await readFile(target, 'utf8')).toBe('kept')

    const other = path.join(temporary.path, 'other')
    await mkdir(nameIn(other), { recursive: true })
    await expect(countOccurrence('a', { folder: other, ...first })).rejects.toThrow('EISDIR')
  })
})
