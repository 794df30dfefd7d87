import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { requestsOf } from '../__tests__/action/support/facts.ts'
import { runAction } from '../__tests__/action/support/run-action.ts'
import { openSandbox } from '../sandbox/service/sandbox.ts'
import { openCutter } from './parts/cutter.ts'
import { openS3, type S3Store } from './parts/s3.ts'
import { digest, digestOf } from './parts/digest.ts'
import { endedWith } from './parts/scripts.ts'

const result = randomBytes(600_000)
const log = Buffer.from('a line of the log\n'.repeat(50_000))
let store: S3Store

beforeAll(async () => {
  store = await openS3()
  await store.keep('result', { body: result, contentType: 'application/zip' })
  await store.keep('log', { body: log, contentType: 'text/plain' })
  const encoded = { body: gzipSync(log), contentType: 'text/plain', contentEncoding: 'gzip' }
  await store.keep('encoded log', encoded)
})
afterAll(() => store[Symbol.asyncDispose]())

const links = async () => ({ result: await store.link('result'), log: await store.link('log') })

describe('presigned links of S3', () => {
  it('lead to the whole result and log', async () => {
    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith(await links()))
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs['result-file']).toMatch(/result\.zip$/)
    expect(await digestOf(step, 'result-file')).toBe(digest(result))
    expect(await digestOf(step, 'log-file')).toBe(digest(log))
    expect(step.log).not.toContain('X-Amz-Signature')
  })

  it('lead to the decoded file', async () => {
    await using sandbox = await openSandbox()
    const encoded = { ...(await links()), log: await store.link('encoded log') }
    sandbox.script('next', endedWith(encoded))
    await using step = await runAction({ sandbox })
    expect(step.exitCode).toBe(0)
    expect(await digestOf(step, 'log-file')).toBe(digest(log))
  })

  it('are replaced through another status call when they have expired', async () => {
    const expired = {
      result: await store.expiredLink('result'),
      log: await store.expiredLink('log'),
    }
    expect((await fetch(expired.result)).status).toBe(403)

    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith(expired, await links()))
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(requestsOf(sandbox, 'status').length).toBeGreaterThan(1)
    expect(await digestOf(step, 'result-file')).toBe(digest(result))
    expect(await digestOf(step, 'log-file')).toBe(digest(log))
  })

  it('are requested without credentials, which the store would refuse', async () => {
    const { result: link, log: logLink } = await links()
    const refused = await fetch(link, { headers: { authorization: 'Token of-the-service' } })
    expect(refused.status).toBe(400)

    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith({ result: link, log: logLink }))
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(requestsOf(sandbox, 'status')).toHaveLength(1)
  })

  it('are used again from the first byte after a download was cut', async () => {
    await using cutter = await openCutter(store.origin, { after: 200_000 })
    const throughCutter = async () => ({
      ...(await links()),
      result: await store.link('result', cutter.origin),
    })
    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith(await throughCutter()))
    await using step = await runAction({ sandbox })
    expect(step.exitCode).toBe(0)
    expect(cutter.requests).toHaveLength(2)
    expect(cutter.requests[1]).not.toMatch(/^range:/im)
    expect(cutter.answers[1]).toMatch(/^HTTP\/1.1 200 /)
    expect(await digestOf(step, 'result-file')).toBe(digest(result))
  })
})
