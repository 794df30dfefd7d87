import { PassThrough } from 'node:stream'
import { describe, expect, it } from '@jest/globals'
import { CacheClient } from '../../../../src/runner/storage/cache-client.ts'
import { ClientCalls } from '../../../../src/runner/storage/client-calls.ts'

/** Looks up an entry with a client that prints `lines` and answers with `answer`. */
async function find(answer: Promise<string | undefined>, ...lines: string[]) {
  const stream = new PassThrough()
  const asked: unknown[] = []
  const restoreCache = (...options: unknown[]) => {
    asked.push(...options)
    for (const line of lines) stream.write(`${line}\n`)
    return answer
  }
  const saveCache = () => Promise.reject(new Error('not asked for'))
  const toolkit = { isFeatureAvailable: () => true, restoreCache, saveCache }
  const client = new CacheClient(toolkit, new ClientCalls([stream]))
  return { found: await client.find({ prefix: 'run-7-', name: 'record' }, () => undefined), asked }
}

const nothing = Promise.resolve(undefined)

describe('a look-up', () => {
  it('asks for a prefix, without a download, on any system, under a path that never changes', async () => {
    const { asked } = await find(nothing)
    // The path and the last flag are part of an entry's version. A change loses earlier entries.
    expect(asked).toEqual([
      ['~/.run-automation/record'],
      'run-7-',
      ['run-7-'],
      { lookupOnly: true },
      true,
    ])
  })

  it.each<[name: string, answer: () => Promise<string | undefined>, lines: string[], why: string]>([
    ['an error', () => nothing, ['::error::Failed to restore: (500)'], '(500)'],
    ['a warning', () => nothing, ['::warning::new%0Aof two lines'], 'new'],
    [
      'a failure after a warning',
      () => nothing,
      ['::warning::You have hit a rate limit', '::warning::Failed to restore: (429)'],
      '(429)',
    ],
    [
      'a key with another prefix',
      () => Promise.resolve('run-8-1'),
      [],
      'the cache answered with a key that was not asked for',
    ],
    ['an exception', () => Promise.reject(new Error('no token')), [], 'no token'],
  ])('has failed after %s', async (_, answer, lines, why) => {
    await expect(find(answer(), ...lines)).rejects.toThrow(new Error(why))
  })
})
