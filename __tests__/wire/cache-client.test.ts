import { existsSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type CacheFault,
  type CacheService,
  openCacheService,
} from '../../sandbox/runner/cache-service.ts'
import { describeServices } from '../../sandbox/runner/environment.ts'
import { type ClientProcess, openClientProcess } from '../support/client-process.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

let clients: ClientProcess

beforeAll(() => {
  clients = openClientProcess()
})

afterAll(() => clients[Symbol.asyncDispose]())

/** Returns the answers of our client, which calls GitHub's. Default home: a new folder. */
async function step(
  cache: CacheService | undefined,
  calls: string[],
  { home, env }: { home?: string; env?: Record<string, string> } = {},
) {
  await using fresh = await makeTemporaryFolder()
  const HOME = home ?? fresh.path
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME,
    USERPROFILE: HOME,
    RUNNER_TEMP: fresh.path,
    GITHUB_WORKSPACE: fresh.path,
    ...describeServices({ artifacts: undefined, cache }),
    ...env,
  }
  const { answers, lines, printed } = await clients.ask({ calls, environment, folder: fresh.path })
  expect(printed).toBe('')
  return { answer: answers.length === 1 ? answers[0] : answers, lines }
}

describe.each(['v2', 'v1'] as const)('the cache client with protocol %s', (protocol) => {
  it('finds what another step saved, the newest first, on a machine with another home', async () => {
    await using cache = await openCacheService(protocol)
    const first = await step(cache, ['save run-7-a-1', 'save run-7-a-2'])
    expect(first.answer).toEqual(['saved', 'saved'])
    const second = await step(cache, ['find run-7-a-'])
    expect(second.answer).toEqual('run-7-a-2')
  })

  it('reports a key that is taken', async () => {
    await using cache = await openCacheService(protocol)
    const { answer } = await step(cache, ['save key', 'save key'])
    const why = expect.stringMatching(/already exists|another job/)
    expect(answer).toEqual(['saved', { why }])
  })

  it('reports a read-only token, which may look up', async () => {
    await using cache = await openCacheService(protocol)
    cache.access = 'read'
    const { answer } = await step(cache, ['save key', 'find key'])
    const why = expect.stringContaining('cache write denied: ')
    expect(answer).toEqual([{ why }, 'none'])
  })

  it('reports a token that may not even look up', async () => {
    await using cache = await openCacheService(protocol)
    cache.access = 'none'
    const why = expect.stringContaining('cache read denied: ')
    expect((await step(cache, ['find key'])).answer).toEqual({ why })
  })
})

describe('the cache client', () => {
  it('finds no entries with another prefix, and downloads nothing', async () => {
    await using cache = await openCacheService()
    await step(cache, ['save run-7-a-1'])
    const { answer } = await step(cache, ['find run-7-b-', 'find run-7-a-'])
    expect(answer).toEqual(['none', 'run-7-a-1'])
    const isDownload = (one: { protocol: string; method: string }) =>
      one.protocol === 'store' && one.method === 'GET'
    expect(cache.requests.filter(isDownload)).toEqual([])
  })

  it('reports a cache mode that permits nothing', async () => {
    await using cache = await openCacheService()
    const env = { ACTIONS_CACHE_MODE: 'none' }
    const { answer } = await step(cache, ['find k', 'save k'], { env })
    const why = expect.stringContaining("cache-mode 'none'")
    expect(answer).toEqual([{ why }, { why }])
    expect(cache.requests).toEqual([])
  })

  it('saves and finds without zstd', async () => {
    await using cache = await openCacheService()
    await using programs = await makeTemporaryFolder()
    for (const name of ['tar', 'gzip']) await symlink(find(name), path.join(programs.path, name))
    const env = { PATH: programs.path }
    const { answer, lines } = await step(cache, ['save k', 'find k'], { env })
    expect(answer).toEqual(['saved', 'k'])
    expect(lines.join('\n')).toContain('cache.tgz')
  })
})

describe('the cache client reports a failure', () => {
  it.each<[string, CacheFault, 'v2' | 'v1', string]>([
    ['403', { on: 'look-up', fault: 'status', status: 403 }, 'v2', 'answered 403'],
    ['403', { on: 'look-up', fault: 'status', status: 403 }, 'v1', '403'],
    ['429', { on: 'look-up', fault: 'status', status: 429 }, 'v2', 'answered 429'],
    ['429', { on: 'look-up', fault: 'status', status: 429 }, 'v1', '429'],
    ['500', { on: 'look-up', fault: 'status', status: 500 }, 'v1', '500'],
    ['a cut connection', { on: 'look-up', fault: 'reset' }, 'v2', 'ECONNRESET'],
    ['a web page', { on: 'look-up', fault: 'html' }, 'v1', 'answered 200 with a web page'],
  ])('if a look-up gets %s (%#)', async (_, fault, protocol, words) => {
    await using cache = await openCacheService(protocol)
    cache.inject(fault)
    const { answer } = await step(cache, ['find key'])
    expect(answer).toEqual({ why: expect.stringContaining(words) })
  })

  it.each<[string, CacheFault, 'v2' | 'v1', string]>([
    ['403 at its start', { on: 'create', fault: 'status', status: 403 }, 'v2', 'answered 403'],
    ['403 at its start', { on: 'create', fault: 'status', status: 403 }, 'v1', 'injected fault'],
    ['429 at its start', { on: 'create', fault: 'status', status: 429 }, 'v2', 'answered 429'],
    ['500 at its start', { on: 'create', fault: 'status', status: 500 }, 'v1', '500'],
    ['a cut connection', { on: 'create', fault: 'reset' }, 'v2', 'ECONNRESET'],
    ['403 for its bytes', { on: 'blob', fault: 'status', status: 403 }, 'v2', 'InjectedFault'],
    ['403 for its bytes', { on: 'blob', fault: 'status', status: 403 }, 'v1', '403'],
    ['400 at its end', { on: 'finalize', fault: 'status', status: 400 }, 'v2', 'answered 400'],
    ['400 at its end', { on: 'finalize', fault: 'status', status: 400 }, 'v1', '400'],
  ])('if a save gets %s (%#)', async (_, fault, protocol, words) => {
    await using cache = await openCacheService(protocol)
    cache.inject(fault)
    const { answer } = await step(cache, ['save key'])
    expect(answer).toEqual({ why: expect.stringContaining(words) })
    expect(cache.entries).toEqual([])
  })

  it('if the runner has no cache', async () => {
    const { answer, lines } = await step(undefined, ['find k', 'save k'])
    const report = { why: 'this runner offers no cache' }
    expect([answer, lines]).toEqual([[report, report], []])
  })

  it.each(['', 'home'])('if HOME is not an absolute path: "%s"', async (home) => {
    await using cache = await openCacheService()
    const { answer } = await step(cache, ['save k', 'find k'], { home })
    const why = 'this step has no home folder (set HOME to an absolute path)'
    expect(answer).toEqual([{ why }, { why }])
  })

  it('if the home folder cannot be written', async () => {
    await using cache = await openCacheService()
    await using folder = await makeTemporaryFolder()
    const home = path.join(folder.path, 'a-file')
    await writeFile(home, '')
    const { answer } = await step(cache, ['save k'], { home })
    expect(answer).toEqual({ why: expect.stringContaining(home) })
  })

  it('if there is no tar', async () => {
    await using cache = await openCacheService()
    const { answer } = await step(cache, ['save k'], { env: { PATH: '' } })
    expect(answer).toEqual({ why: expect.stringContaining('tar') })
  })
})

function find(program: string): string {
  const folders = process.env['PATH']?.split(path.delimiter) ?? []
  return folders.map((folder) => path.join(folder, program)).find(existsSync) ?? program
}
