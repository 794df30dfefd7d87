import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, strangerCredentials, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, credentials, json, send, start } from './caller.ts'

describe('authentication', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.close())

  const routes: [string, string][] = [
    ['POST', '/api/create-project'],
    ['POST', '/api/start-automation/demo/quiet'],
    ['POST', '/api/start-automation/absent/absent'],
    ['GET', '/api/v4/execution/0b0c4d3e-0000-4000-8000-000000000000/status'],
  ]

  it.each(routes)('%s %s asks for both headers before anything else', async (method, path) => {
    const { authorization, 'x-api-key': key } = credentials(sandbox)
    const insufficient = [
      {},
      { authorization },
      { 'x-api-key': key },
      { authorization, 'x-api-key': 'wrong' },
      { authorization: 'Token wrong', 'x-api-key': key },
      { authorization: `Bearer ${sandbox.apiToken}`, 'x-api-key': key },
      { authorization, 'x-api-key': strangerCredentials.apiKey },
    ] as Record<string, string>[]
    for (const headers of insufficient) {
      const answer = await send(sandbox.baseUrl + path, { method, headers })
      expect(answer.status).toBe(401)
      expect(json(answer)).toEqual({ detail: expect.any(String) })
    }
    expect(sandbox.executions).toEqual([])
  })

  it('accepts the bare token, too', async () => {
    const bare = { authorization: sandbox.apiToken, 'x-api-key': sandbox.apiKey }
    expect((await check(sandbox, 'absent', bare)).status).toBe(404)
  })

  it("answers the same for another account's execution and for one that never was", async () => {
    await using own = await openSandbox()
    await start(own, 'quiet')
    const stranger = credentials(strangerCredentials)
    const foreign = await check(own, own.executions[0]?.id ?? '', stranger)
    const absent = await check(own, 'never-was')
    expect([foreign.status, foreign.text]).toEqual([absent.status, absent.text])
    expect(absent.status).toBe(404)
    expect(json(absent)).toEqual({ error: expect.any(String) })
    expect((await check(own, own.executions[0]?.id ?? '')).status).toBe(200)
  })

  it("does not let another account start one's automations", async () => {
    const headers = { ...credentials(strangerCredentials), 'content-type': 'application/json' }
    const url = `${sandbox.baseUrl}/api/start-automation/demo/quiet`
    const answer = await send(url, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(403)
    expect(json(answer)).toEqual({ message: expect.stringContaining('project') })
  })
})
