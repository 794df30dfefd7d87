import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, credentials, json, run, send, type Finished } from './caller.ts'

const note = 'ten bytes\n'

describe('a link', () => {
  let sandbox: Sandbox
  let finished: Finished
  let now = Date.UTC(2026, 0, 1)
  beforeAll(async () => {
    sandbox = await openSandbox({ now: () => now })
    finished = await run(sandbox, 'text-note', { seed: { text: note } })
  })
  afterAll(() => sandbox.close())

  it('serves the file with its type and length, any number of times', async () => {
    const first = await send(finished.resultUrl)
    expect(first).toMatchObject({ status: 200, text: note })
    expect(first.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '10',
    })
    expect((await send(finished.resultUrl)).text).toBe(note)
    expect((await send(finished.logsUrl)).text).toBe('writing 10 characters\n')
  })

  it('refuses requests with credentials, as object stores do', async () => {
    const { authorization, 'x-api-key': key } = credentials(sandbox)
    for (const headers of [{ authorization }, { 'x-api-key': key }] as Record<string, string>[]) {
      const refused = await send(finished.resultUrl, { headers })
      expect(refused.status).toBe(400)
      expect(refused.text).toContain('<Code>InvalidArgument</Code>')
    }
  })

  it('is valid for 60 s after its status call; a new call returns a new link', async () => {
    const old = json(await check(sandbox, finished.id))
    now += 60_000
    expect((await send(String(old['result_url']))).status).toBe(200)
    now += 1
    const expired = await send(String(old['result_url']))
    expect(expired.status).toBe(403)
    expect(expired.headers['content-type']).toBe('application/xml')
    expect(expired.text).toContain('<Message>Request has expired</Message>')
    const fresh = json(await check(sandbox, finished.id))
    expect(fresh['result_url']).not.toBe(old['result_url'])
    expect((await send(String(fresh['result_url']))).text).toBe(note)
  })
})
