import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, credentials, json, run, send, start, type Finished } from './caller.ts'

const lost = /ECONNRESET|socket hang up/

describe('a fault', () => {
  let sandbox: Sandbox
  let finished: Finished
  beforeAll(async () => {
    sandbox = await openSandbox()
    finished = await run(sandbox, 'text-note', { seed: { text: 'ten bytes\n' } })
  })
  afterEach(() => sandbox.faults.clear())
  afterAll(() => sandbox.close())

  const look = () => check(sandbox, finished.id)

  it('hits its route only, as often as given, after the requests it lets pass', async () => {
    sandbox.faults.inject({ on: 'status', fault: 'status', status: 503, times: 2, skip: 1 })
    expect((await start(sandbox, 'quiet')).status).toBe(202)
    const statuses = []
    for (let call = 0; call < 4; call++) statuses.push((await look()).status)
    expect(statuses).toEqual([200, 503, 503, 200])
  })

  it.each([
    [false, 0],
    [true, 1],
  ])('reset-before-answer (accepted: %j) leaves %i more execution', async (accepted, more) => {
    const before = sandbox.executions.length
    sandbox.faults.inject({ on: 'start', fault: 'reset-before-answer', accepted })
    await expect(start(sandbox, 'quiet', '{"seed":{}}')).rejects.toThrow(lost)
    expect(sandbox.executions).toHaveLength(before + more)
    expect(sandbox.requests.at(-1)).toMatchObject({ kind: 'start', body: '{"seed":{}}' })
  })

  it('stall-headers says nothing until the sandbox closes', async () => {
    await using stalled = await openSandbox()
    stalled.faults.inject({ on: 'status', fault: 'stall-headers' })
    const waiting = check(stalled, 'any').catch((error: unknown) => String(error))
    while (stalled.requests.length === 0) await new Promise(setImmediate)
    await stalled.close()
    expect(await waiting).toMatch(lost)
  })

  it('huge is valid and 2 MiB long, or has no end', async () => {
    sandbox.faults.inject({ on: 'status', fault: 'huge' })
    const huge = await look()
    expect(huge.bytes.length).toBeGreaterThan(2 * 1024 * 1024)
    expect(json(huge)).toMatchObject({ finished: true })
    sandbox.faults.inject({ on: 'start', fault: 'huge', endless: true })
    const headers = { ...credentials(sandbox), 'content-type': 'application/json' }
    const url = `${sandbox.baseUrl}/api/start-automation/demo/quiet`
    const endless = await send(url, { method: 'POST', headers, body: '{}', enough: 5e6 })
    expect(endless.whole).toBe(false)
    expect(endless.bytes.length).toBeGreaterThanOrEqual(5e6)
  })

  it('cut-after sends so many bytes of the file; the rest is there to be fetched', async () => {
    const { resultUrl } = await run(sandbox, 'big-export', { seed: { logMegabytes: 0 } })
    const bytes = 1_234_567
    sandbox.faults.inject({ on: 'link-result', fault: 'cut-after', bytes })
    const cut = await send(resultUrl)
    expect([cut.whole, cut.bytes.length]).toEqual([false, bytes])
    const headers = { range: `bytes=${bytes}-`, 'if-range': cut.headers.etag ?? '' }
    const rest = await send(resultUrl, { headers })
    const whole = await send(resultUrl)
    expect(Buffer.concat([cut.bytes, rest.bytes]).equals(whole.bytes)).toBe(true)
  })
})
