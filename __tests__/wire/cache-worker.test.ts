import { describe, expect, it } from '@jest/globals'
import { type CacheService, openCacheService } from '../../sandbox/runner/cache-service.ts'
import { runStep } from '../../sandbox/runner/runner.ts'
import { makeAction, shortPauses, toolkit } from '../sandbox-runner/fixture-action.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const ours = (name: string) =>
  JSON.stringify(new URL(`../../src/runner/storage/${name}.ts`, import.meta.url).href)

/** The thread's program: the cache, and two services of the test's own. */
const answering = `
    const client = new CacheClient(toolkit, captureLinesOf([process.stdout, process.stderr]))
    answerRequests(parentPort, {
      find: ({ prefix }, { onLine }) => client.find(prefix, onLine),
      save: ({ key }, { onLine }) => client.save(key, onLine),
      echo: (text) => Promise.resolve(text),
      die: () => process.exit(3),
    })`

/**
 * A step that asks one thread: `ask(service, order)` waits without end, or until the signal that
 * it is given; `lineThat(fits)` is one that comes with a line of the client's.
 */
async function askingStep(cacheService: CacheService, program: string) {
  await using home = await makeTemporaryFolder()
  await using action = await makeAction(`
    import { isMainThread, parentPort, Worker } from 'node:worker_threads'
    import * as toolkit from ${JSON.stringify(toolkit.cache)}
    import { CacheClient } from ${ours('cache-client')}
    import { captureLinesOf } from ${ours('capture-lines')}
    import { answerRequests } from ${ours('worker-answers')}
    import { WorkerRequests } from ${ours('worker-requests')}
${shortPauses}
    if (isMainThread) await main()
    else {${answering}
    }
    async function main() {
    const worker = new Worker(new URL(import.meta.url))
    const lines = []
    const watchers = []
    const requests = new WorkerRequests(worker, (line) => {
      lines.push(line)
      for (const watch of watchers) watch(line)
    })
    const ask = (service, order, signal = new AbortController().signal) =>
      requests.ask(service, order, signal)
    const lineThat = (fits) => {
      const controller = new AbortController()
      watchers.push((line) => fits(line) && controller.abort())
      return controller.signal
    }
    const answer = await (async () => { ${program} })()
    console.log(JSON.stringify({ answer, lines }))
    }`)
  await using step = await runStep({
    ...{ action: action.folder, inputs: {}, artifactService: 'none', cacheService },
    env: { HOME: home.path, USERPROFILE: home.path },
  })
  const { stdout, stderr, exitCode } = step
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 })
  return JSON.parse(stdout) as { answer: unknown; lines: string[] }
}

describe('a thread that several callers ask', () => {
  it('answers each with its own, and ends by itself when nobody asks any more', async () => {
    await using cache = await openCacheService()
    const { answer } = await askingStep(
      cache,
      `const saved = await Promise.all([ask('save', { key: 'a-1' }), ask('echo', 'hello'), ask('save', { key: 'b-1' })])
       const found = await Promise.all(['a', 'b', 'c'].map((prefix) => ask('find', { prefix })))
       return [...saved, ...found].map(({ report }) => report)`,
    )
    expect(answer).toEqual([
      { kind: 'saved' },
      'hello',
      { kind: 'saved' },
      { kind: 'found', key: 'a-1' },
      { kind: 'found', key: 'b-1' },
      { kind: 'none' },
    ])
  })

  it('hands the client’s lines on, its masks before what they hide', async () => {
    await using cache = await openCacheService()
    const { lines } = await askingStep(cache, `return ask('save', { key: 'a-1' })`)
    const mask = lines.findIndex((line) => line.startsWith('::add-mask::'))
    const shown = lines.findIndex((line) => line.includes('signed_upload_url'))
    expect(mask).toBeGreaterThan(-1)
    expect(shown).toBeGreaterThan(mask)
  })

  it('is given up by one caller, with why it took so long, and answers the next', async () => {
    await using cache = await openCacheService()
    cache.inject({ on: 'look-up', fault: 'status', status: 503, times: 1 })
    const { answer } = await askingStep(
      cache,
      `const signal = lineThat((line) => line.startsWith('Attempt 1'))
       return [await ask('find', { prefix: 'a' }, signal), await ask('find', { prefix: 'b' })]`,
    )
    const lastLine = expect.stringContaining(
      'Attempt 1 of 5 failed with error: Failed request: (503)',
    )
    expect(answer).toEqual([
      { kind: 'given-up', lastLine },
      { kind: 'report', report: { kind: 'none' } },
    ])
  })

  it.each<[string, 'stall' | 'cut']>([
    ['never comes', 'stall'],
    ['is cut in the middle', 'cut'],
  ])('is given up where the reply %s', async (_, fault) => {
    await using cache = await openCacheService()
    cache.inject({ on: 'look-up', fault })
    const { answer } = await askingStep(
      cache,
      `const { kind } = await ask('find', { prefix: 'a' }, AbortSignal.timeout(1000))
       await requests.stop()
       return [kind, await ask('echo', 'too late')]`,
    )
    expect(answer).toEqual(['given-up', expect.objectContaining({ kind: 'failure' })])
  })

  it('tells all callers when it dies', async () => {
    await using cache = await openCacheService()
    cache.inject({ on: 'look-up', fault: 'stall' })
    const { answer } = await askingStep(
      cache,
      `const asked = [ask('find', { prefix: 'a' }), ask('die')]
       return Promise.all([...asked, asked[0].then(() => ask('echo', 'afterwards'))])`,
    )
    const message = 'the storage client ended without an answer'
    expect(answer).toEqual(Array(3).fill({ kind: 'failure', name: 'Error', message }))
  })

  it('refuses what it does not know', async () => {
    await using cache = await openCacheService()
    const { answer } = await askingStep(cache, `return ask('toString', {})`)
    expect(answer).toMatchObject({ kind: 'failure', message: 'this thread does not know toString' })
  })
})
