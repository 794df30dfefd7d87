import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  type CacheFault,
  type CacheService,
  openCacheService,
} from '../../sandbox/runner/cache-service.ts'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { runStep, type StepOptions } from '../../sandbox/runner/runner.ts'
import { type ClientProcess, openClientProcess } from './client-process.ts'
import { makeAction, toolkit } from './fixture-action.ts'

const protocols = ['v2', 'v1'] as const

let clients: ClientProcess

beforeAll(() => {
  clients = openClientProcess()
})

afterAll(() => clients[Symbol.asyncDispose]())

const helpers = `
    const { mkdirSync, readFileSync, writeFileSync } = process.getBuiltinModule('node:fs')
    const found = (path, key, ...others) =>
      cache.restoreCache([path], key, others, { lookupOnly: true })
    const save = (key, path = 'kept') => {
      mkdirSync(path, { recursive: true })
      return cache.saveCache([path], key)
    }`

/** A step whose program has GitHub's own client as `cache`; `answer` is what it got, as JSON. */
const cacheStep = (cacheService: CacheService, program: string, env: Record<string, string> = {}) =>
  clients.run(`${helpers}\n${program}`, { cacheService, env })

/** The same in a process of its own, as the runner starts it; its answer is an output. */
async function cacheProcess(program: string, options: Partial<StepOptions>) {
  await using action = await makeAction(`
    import * as cache from ${JSON.stringify(toolkit.cache)}
    import * as core from ${JSON.stringify(toolkit.core)}
${helpers}
    const answer = async () => { ${program} }
    core.setOutput('answer', JSON.stringify(await answer()) ?? 'undefined')`)
  await using step = await runStep({ action: action.folder, inputs: {}, ...options })
  return { answer: step.outputs['answer'], exitCode: step.exitCode }
}

describe.each(protocols)('the cache service %s, used by GitHub’s own client', (protocol) => {
  it('gives a later step what an earlier one saved, byte by byte', async () => {
    await using cache = await openCacheService(protocol)
    await cacheStep(
      cache,
      `mkdirSync('kept')
       writeFileSync('kept/report.txt', 'a report')
       return cache.saveCache(['kept'], 'key-1')`,
    )
    const { answer } = await cacheStep(
      cache,
      `const key = await cache.restoreCache(['kept'], 'key-1')
       return [key, readFileSync('kept/report.txt', 'utf8')]`,
    )
    expect(answer).toBe('["key-1","a report"]')
    expect(cache.entries).toMatchObject([{ key: 'key-1' }])
  })

  it('finds the newest of a prefix, and the very key before a newer longer one', async () => {
    await using cache = await openCacheService(protocol)
    await cacheStep(cache, `for (const key of ['a-1', 'a-2', 'a-10', 'b-1']) await save(key)`)
    const { answer, log } = await cacheStep(
      cache,
      `return [await found('kept', 'a-'), await found('kept', 'a-1'), await found('kept', 'x', 'y', 'b')]`,
    )
    expect(answer).toBe('["a-10","a-1","b-1"]')
    expect(log).toContain('Lookup only - skipping download')
    const downloads = cache.requests.filter(
      (one) => one.protocol === 'store' && one.method === 'GET',
    )
    expect(downloads).toEqual([])
  })

  it('finds nothing under another version, that is under another path', async () => {
    await using cache = await openCacheService(protocol)
    const { answer } = await cacheStep(
      cache,
      `await save('key')
       return [await found('other', 'key') ?? null, await found('kept', 'key')]`,
    )
    expect(answer).toBe('[null,"key"]')
  })

  it('finds nothing that was evicted', async () => {
    await using cache = await openCacheService(protocol)
    await cacheStep(cache, `await save('key')`)
    cache.evict()
    const { answer } = await cacheStep(cache, `return await found('kept', 'key') ?? null`)
    expect(answer).toBe('null')
  })

  it('refuses a key that is taken, until its entry is evicted', async () => {
    await using cache = await openCacheService(protocol)
    const first = await cacheStep(cache, `return [await save('key') > 0, await save('key')]`)
    expect(first.answer).toBe('[true,-1]')
    expect(first.log).toContain('Failed to save: Unable to reserve cache with key key')
    cache.evict()
    expect((await cacheStep(cache, `return await save('key') > 0`)).answer).toBe('true')
  })

  it('lets a read-only token look up, and save nothing', async () => {
    await using cache = await openCacheService(protocol)
    await cacheStep(cache, `await save('key')`)
    cache.access = 'read'
    const { answer, annotations } = await cacheStep(
      cache,
      `return [await found('kept', 'key'), await save('other')]`,
    )
    expect(answer).toBe('["key",-1]')
    expect(annotations).toMatchObject([{ level: 'warning' }])
    expect(annotations[0]?.message).toContain('cache write denied:')
  })

  it('lets a token without any scope look up nothing', async () => {
    await using cache = await openCacheService(protocol)
    cache.access = 'none'
    const { answer, annotations } = await cacheStep(cache, `return found('kept', 'key')`)
    expect(answer).toBe('undefined')
    expect(annotations[0]?.message).toContain('cache read denied:')
  })

  it('refuses those who do not bring its token', async () => {
    await using cache = await openCacheService(protocol)
    const env = { ACTIONS_RUNTIME_TOKEN: 'another' }
    const { log } = await cacheStep(cache, `return found('kept', 'key')`, env)
    expect(log).toContain('401')
  })
})

describe('the cache service, out of order', () => {
  it.each<[string, CacheFault, (typeof protocols)[number], string]>([
    ['a status', { on: 'look-up', fault: 'status', status: 403 }, 'v2', '(403)'],
    ['a status', { on: 'look-up', fault: 'status', status: 500 }, 'v1', 'responded with 500'],
    ['too many requests', { on: 'look-up', fault: 'status', status: 429 }, 'v2', 'Rate limited'],
    ['too many requests', { on: 'look-up', fault: 'status', status: 429 }, 'v1', '429'],
    ['a cut connection', { on: 'look-up', fault: 'reset' }, 'v2', 'ECONNRESET'],
    ['a page', { on: 'look-up', fault: 'html' }, 'v1', 'Cache not found.'],
  ])('fails a look-up by %s', async (_, fault, protocol, message) => {
    await using cache = await openCacheService(protocol)
    cache.inject(fault)
    const { answer, annotations } = await cacheStep(cache, `return found('kept', 'key')`)
    expect(answer).toBe('undefined')
    expect(annotations[0]?.message).toContain('Failed to restore: ')
    expect(annotations[0]?.message).toContain(message)
  })

  it.each<[string, CacheFault, (typeof protocols)[number], string]>([
    ['a taken key', { on: 'create', fault: 'conflict' }, 'v2', '(409)'],
    ['a taken key', { on: 'create', fault: 'conflict' }, 'v1', 'Cache already exists'],
    ['a refused blob', { on: 'blob', fault: 'status', status: 403 }, 'v2', 'InjectedFault'],
    ['a refused chunk', { on: 'blob', fault: 'status', status: 403 }, 'v1', '403 during upload'],
    ['a refused end', { on: 'finalize', fault: 'status', status: 400 }, 'v2', '(400)'],
    ['a refused end', { on: 'finalize', fault: 'status', status: 400 }, 'v1', '400 during commit'],
  ])('fails a save by %s', async (_, fault, protocol, message) => {
    await using cache = await openCacheService(protocol)
    cache.inject(fault)
    const { stdout } = await cacheStep(cache, `return save('key')`)
    expect(stdout).toContain(message)
    expect(cache.entries).toEqual([])
  })

  it('recovers when a fault is used up', async () => {
    await using cache = await openCacheService('v2')
    cache.inject({ on: 'look-up', fault: 'status', status: 403, times: 1 })
    const { answer } = await cacheStep(
      cache,
      `await found('kept', 'key')
       await save('key')
       return found('kept', 'key')`,
    )
    expect(answer).toBe('"key"')
  })
})

describe('a step with a cache', () => {
  it('finds it at the address of its artifact service, as on GitHub', async () => {
    await using artifacts = await openArtifactService()
    await using cache = await openCacheService()
    const { answer } = await cacheProcess(
      `await save('key')
       return [process.env.ACTIONS_RESULTS_URL, await found('kept', 'key')]`,
      { artifactService: artifacts, cacheService: cache },
    )
    expect(answer).toBe(JSON.stringify([artifacts.url, 'key']))
    expect(artifacts.requests).toEqual([])
  })

  it('has none of its variables where the runner has no cache', async () => {
    await using action = await makeAction('console.log(JSON.stringify(process.env))')
    await using step = await runStep({ action: action.folder, inputs: {} })
    expect(step.stdout).not.toContain('ACTIONS_CACHE_')
  })

  it('is the same step of the same run in a second attempt', async () => {
    await using cache = await openCacheService()
    const names = { GITHUB_RUN_ID: '77', GITHUB_JOB: 'nightly', GITHUB_ACTION: 'report' }
    const program = `
      const { GITHUB_RUN_ID, GITHUB_RUN_ATTEMPT, GITHUB_JOB, GITHUB_ACTION } = process.env
      const prefix = [GITHUB_RUN_ID, GITHUB_JOB, GITHUB_ACTION].join('-')
      const earlier = await found('kept', prefix)
      await save(prefix + '-' + GITHUB_RUN_ATTEMPT)
      return earlier`
    const attempt = (number: string) =>
      cacheStep(cache, program, { ...names, GITHUB_RUN_ATTEMPT: number })
    expect((await attempt('1')).answer).toBe('undefined')
    expect((await attempt('2')).answer).toBe('"77-nightly-report-1"')
  })
})
