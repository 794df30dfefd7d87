import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { CacheClient, type CacheToolkit } from '../../../../src/runner/storage/cache-client.ts'
import { ClientCalls } from '../../../../src/runner/storage/client-calls.ts'

/** Looks up an entry with a client that prints `lines` and finds `key`. `asked`: the arguments. */
function looking(key: string | undefined, ...lines: string[]) {
  const stream = new PassThrough()
  const asked: unknown[] = []
  const toolkit: CacheToolkit = {
    isFeatureAvailable: () => true,
    restoreCache: (...options) => {
      asked.push(...options)
      for (const line of lines) stream.write(`${line}\n`)
      return Promise.resolve(key)
    },
    saveCache: () => Promise.reject(new Error('not asked for')),
  }
  const client = new CacheClient(toolkit, new ClientCalls([stream]))
  const found = client.find({ prefix: 'run-7-', name: 'record' }, () => undefined)
  return { asked, found }
}

describe('a look-up', () => {
  it('asks for a prefix, without a download, on any system, under a path that never changes', async () => {
    const { asked, found } = looking(undefined)
    await found
    // The path and the last flag are part of an entry's version. A change loses earlier entries.
    expect(asked).toEqual([
      ['~/.run-automation/record'],
      'run-7-',
      ['run-7-'],
      { lookupOnly: true },
      true,
    ])
  })

  it.each([
    ['::error::Failed to restore: (500)', '(500)'],
    ['::warning::something new%0Aof two lines', 'something new'],
  ])('that prints %s has failed', async (line, why) => {
    await expect(looking(undefined, line).found).rejects.toThrow(new Error(why))
  })

  it('names the failure, not an earlier warning', async () => {
    const lines = ['::warning::You have hit a rate limit', '::warning::Failed to restore: (429)']
    await expect(looking(undefined, ...lines).found).rejects.toThrow(new Error('(429)'))
  })

  it('accepts no key with another prefix', async () => {
    const { found } = looking('run-8-1', 'Cache hit for restore-key: run-8-1')
    await expect(found).rejects.toThrow('a key that was not asked for')
  })
})

it('a client that throws has failed', async () => {
  const toolkit: CacheToolkit = {
    isFeatureAvailable: () => true,
    restoreCache: () => Promise.reject(new Error('Unable to get the token')),
    saveCache: () => Promise.resolve(1),
  }
  const client = new CacheClient(toolkit, new ClientCalls([]))
  const found = client.find({ prefix: 'run-7-', name: 'record' }, () => undefined)
  await expect(found).rejects.toThrow('Unable to get the token')
})
