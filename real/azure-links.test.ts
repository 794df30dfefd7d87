import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { requestsOf } from '../__tests__/action/support/facts.ts'
import { runAction } from '../__tests__/action/support/run-action.ts'
import { openSandbox } from '../sandbox/service/sandbox.ts'
import { openAzure, type AzureStore } from './parts/azure.ts'
import { openCutter } from './parts/cutter.ts'
import { digest, digestOf } from './parts/digest.ts'
import { endedWith } from './parts/scripts.ts'

const result = { body: randomBytes(600_000), contentType: 'application/pdf' }
const log = { body: Buffer.from('a line of the log\n'.repeat(50_000)), contentType: 'text/plain' }
let store: AzureStore

beforeAll(async () => {
  store = await openAzure()
  await store.keep('result', result)
  await store.keep('log', log)
})
afterAll(() => store[Symbol.asyncDispose]())

const links = async () => ({ result: await store.link('result'), log: await store.link('log') })

/** Returns a link to another file with the same signature. */
const tamper = (link: string) => link.replace('/result?', '/log?')
/** The signature does not include the host, so the link is also valid through another origin. */
const through = (origin: string, link: string) => link.replace(store.origin, origin)

describe('links of Azure with a shared access signature', () => {
  it('lead to the whole result and log', async () => {
    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith(await links()))
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs['result-file']).toMatch(/result\.pdf$/)
    expect(await digestOf(step, 'result-file')).toBe(digest(result.body))
    expect(await digestOf(step, 'log-file')).toBe(digest(log.body))
    expect(step.log).not.toContain('sig=')
  })

  it.each([
    ['expired', () => store.expiredLink('result')],
    ['tampered with', async () => tamper(await store.link('result'))],
  ])('are replaced through another status call when %s', async (_, makeLink) => {
    const refused = { ...(await links()), result: await makeLink() }
    expect((await fetch(refused.result)).status).toBe(403)

    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith(refused, await links()))
    await using step = await runAction({ sandbox })
    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(requestsOf(sandbox, 'status')).toHaveLength(2)
    expect(await digestOf(step, 'result-file')).toBe(digest(result.body))
  })
})

describe('a download from Azure that is cut', () => {
  it('starts over', async () => {
    await using cutter = await openCutter(store.origin, { after: 200_000 })
    const { result: link, log: logLink } = await links()
    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith({ result: through(cutter.origin, link), log: logLink }))
    await using step = await runAction({ sandbox })
    expect(step.exitCode).toBe(0)
    expect(cutter.requests).toHaveLength(2)
    expect(cutter.requests[1]).not.toMatch(/^range:/im)
    expect(cutter.answers[1]).toMatch(/^HTTP\/1.1 200 /)
    expect(await digestOf(step, 'result-file')).toBe(digest(result.body))
  })

  it('starts again from the beginning if the file was replaced', async () => {
    const later = { body: randomBytes(result.body.length), contentType: 'application/pdf' }
    await store.keep('changing', result)
    const meanwhile = () => store.keep('changing', later)
    await using cutter = await openCutter(store.origin, { after: 200_000, meanwhile })
    const changing = through(cutter.origin, await store.link('changing'))
    await using sandbox = await openSandbox()
    sandbox.script('next', endedWith({ result: changing, log: await store.link('log') }))
    await using step = await runAction({ sandbox })
    expect(step.exitCode).toBe(0)
    expect(await digestOf(step, 'result-file')).toBe(digest(later.body))
  })
})
