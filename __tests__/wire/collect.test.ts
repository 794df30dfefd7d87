import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { collect, type CollectContext } from '../../src/download/collect.ts'
import type { ExecutionStatus } from '../../src/service/contract.ts'
import { downloadContext } from '../support/download-run.ts'
import { record } from '../support/execution-status.ts'
import { serve } from '../support/http-server.ts'
import { storeWithSilent } from '../support/store-clients.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const linksAt = (url: string, version: number): ExecutionStatus =>
  record({
    finished: true,
    result_url: `${url}/result/${String(version)}`,
    logs_url: `${url}/log/${String(version)}`,
  })

/** Collects into a folder of its own; `checks` counts the status calls that it took. */
async function collected(
  status: ExecutionStatus,
  check: (count: number) => ExecutionStatus | Promise<ExecutionStatus>,
  given: Partial<CollectContext> = {},
) {
  await using folder = await makeTemporaryFolder()
  let checks = 0
  const files = await collect(status, {
    ...downloadContext(),
    makeFolder: () => Promise.resolve(folder.path),
    check: async () => check(++checks),
    ...given,
  })
  const { result, log } = files
  const textOf = async (kept: typeof result) =>
    kept.kind === 'file' ? readFile(kept.path, 'utf8') : kept.kind
  const onDisk = (await readdir(folder.path)).sort()
  return { result: await textOf(result), log: await textOf(log), onDisk, checks }
}

const noCheck = () => {
  throw new Error('no status call was expected')
}

describe('result and log', () => {
  it('come by the links at hand, without another status call', async () => {
    await using store = await serve((response, { path }) => {
      response.setHeader('content-type', 'application/json')
      response.end(path)
    })

    expect(await collected(linksAt(store.url, 1), noCheck)).toEqual({
      result: '/result/1',
      log: '/log/1',
      onDisk: ['result.json', 'run.log'],
      checks: 0,
    })
  })

  it('are not there where the automation keeps neither, or one of them', async () => {
    await using store = await serve((response, { path }) => response.end(path))
    const nothing = record({ finished: true })

    expect(await collected(nothing, noCheck)).toMatchObject({ result: 'not-kept', log: 'not-kept' })
    const logAlone = { ...linksAt(store.url, 1), result_url: null }
    expect(await collected(logAlone, noCheck)).toMatchObject({ result: 'not-kept', log: '/log/1' })
  })

  it('share one status call when both links have expired', async () => {
    await using store = await serve((response, { path }) => {
      response.writeHead(path.endsWith('/1') ? 403 : 200).end(path)
    })
    const bothWait = Promise.withResolvers<undefined>()
    const check = async (count: number) => {
      while (store.seen.length < 2) await new Promise((resolve) => setImmediate(resolve))
      bothWait.resolve(undefined)
      return linksAt(store.url, count + 1)
    }
    const files = await collected(linksAt(store.url, 1), check)

    expect(files).toMatchObject({ onDisk: ['result.bin', 'run.log'] })
    expect(files.result).toMatch(/^\/result\/[23]$/)
    expect(files.checks).toBeLessThanOrEqual(2)
  })

  it('come by fresh links when a status call fails, too', async () => {
    await using store = await serve((response, { path }) => {
      response.writeHead(path.endsWith('/1') ? 403 : 200).end(path)
    })
    const { result, log } = await collected(linksAt(store.url, 1), (count) => {
      if (count === 1) throw new Error('the service answered 502')
      return linksAt(store.url, 2)
    })

    expect([result, log]).toEqual(['/result/2', '/log/2'])
  })
})

describe('a result that cannot be had', () => {
  it('does not cost the log', async () => {
    await using store = await serve((response, { path }) => {
      if (path.startsWith('/log')) response.end('the log')
      // The result's answer never comes.
    })
    const given = { store: storeWithSilent(`${store.url}/result`) }
    const files = await collected(linksAt(store.url, 1), () => linksAt(store.url, 2), given)

    expect(files).toMatchObject({ result: 'unavailable', log: 'the log', onDisk: ['run.log'] })
  })

  it('is unavailable, not "not kept", when the service loses its link', async () => {
    await using store = await serve((response, { path }) => {
      response.writeHead(path.startsWith('/log') ? 200 : 403).end('the log')
    })
    const files = await collected(linksAt(store.url, 1), () => record({ finished: true }))

    expect(files).toMatchObject({ result: 'unavailable', log: 'the log' })
  })
})
