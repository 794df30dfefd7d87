import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, credentials, json, post, send, start } from './caller.ts'

describe('start-automation', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    const own = { quiet: 'quiet', 'listed-only': 'listed-only' }
    const named = { 'daily report/ä?': 'quiet', '..': 'quiet' }
    sandbox = await openSandbox({ projects: { demo: 'all', 'my project': { ...own, ...named } } })
  })
  afterAll(() => sandbox.close())

  it('answers 202 with status, message and execution_id', async () => {
    const answer = await start(sandbox, 'quiet')
    const { id } = sandbox.executions.at(-1) ?? {}
    expect(answer.status).toBe(202)
    expect(json(answer)).toEqual({
      status: 'success',
      message: 'The automation quiet started.',
      execution_id: id,
    })
  })

  it('answers 200 and other ids where asked to, as both are documented', async () => {
    await using uuid = await openSandbox({ startStatus: 200, startAnswer: 'exec_uuid' })
    const one = await start(uuid, 'quiet')
    expect(one.status).toBe(200)
    expect(json(one)).not.toHaveProperty('execution_id')
    expect(json(one)['exec_uuid']).toBe(uuid.executions[0]?.id)

    await using both = await openSandbox({ startAnswer: 'both' })
    const { execution_id: other, exec_uuid: right } = json(await start(both, 'quiet'))
    expect((await check(both, String(right))).status).toBe(200)
    expect((await check(both, String(other))).status).toBe(404)
  })

  it.each([
    ['/api/start-automation/absent/quiet', 'project'],
    ['/api/start-automation/my%20project/echo', 'automation'],
    ['/api/start-automation/my%20project/listed-only', 'automation'],
    ['/api/start-automation/demo/absent', 'automation'],
    ['/api/start-automation/demo/..%2Fservice%2Fdesk', 'automation'],
    ['/api/start-automation/demo/toString', 'automation'],
  ])('POST %s: 403, this %s does not exist', async (path, what) => {
    const answer = await post(sandbox, path, 'not even JSON')
    expect(answer.status).toBe(403)
    expect(json(answer)).toEqual({ message: `This ${what} does not exist.` })
  })

  it.each(['quiet', 'daily%20report%2F%C3%A4%3F', '%2E%2E', '..'])(
    'decodes the segments of /my%%20project/%s',
    async (segment) => {
      const answer = await post(sandbox, `/api/start-automation/my%20project/${segment}`, '{}')
      expect(answer.status).toBe(202)
      const last = sandbox.executions.at(-1)
      expect([last?.project, last?.automation]).toEqual(['my project', decodeURIComponent(segment)])
    },
  )

  it.each([
    ['', /not valid JSON/],
    ['{"seed":', /not valid JSON/],
    ['[]', /body/],
    ['null', /body/],
    ['{"seed":[1]}', /seed/],
    ['{"seed":"text"}', /seed/],
    ['{"seed":null}', /seed/],
    ['{"webhook":"not an address"}', /webhook/],
    ['{"webhook":7}', /webhook/],
    ['{"webhook":null}', /webhook/],
    ['{"webhook_header":{"a":1}}', /webhook_header/],
    ['{"webhook_header":null}', /webhook_header/],
  ])('body %j: 400', async (body, words) => {
    const before = sandbox.executions.length
    const answer = await start(sandbox, 'quiet', body)
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ message: expect.stringMatching(words) })
    expect(sandbox.executions).toHaveLength(before)
  })

  it('keeps the text of the seed, character for character', async () => {
    const seed =
      '{ "big": 12345678901234567890, "one": 1.0,\n"huge": 1e400, "\\u0041": "\\/\\ud83d" }'
    await start(sandbox, 'echo', `{"seed": {"old": 1}, "other":[{"seed":2}], "seed":${seed} }`)
    const execution = sandbox.executions.at(-1)
    expect(execution?.seedText).toBe(seed)
    await execution?.over
    const { result_url: url } = json(await check(sandbox, execution?.id ?? ''))
    expect((await send(String(url))).text).toBe(seed)
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', ''])(
    'refuses the content type %j',
    async (type) => {
      const path = '/api/start-automation/demo/quiet'
      const answer = await post(sandbox, path, '{}', { 'content-type': type })
      expect(answer.status).toBe(415)
      expect(json(answer)).toEqual({ detail: expect.stringContaining(type) })
    },
  )

  it('records every request as it was sent', async () => {
    await using fresh = await openSandbox()
    await start(fresh, 'quiet', '{ "seed": {} }')
    await send(`${fresh.baseUrl}/elsewhere?a=b`)
    expect(fresh.requests).toMatchObject([
      { method: 'POST', kind: 'start', path: '/api/start-automation/demo/quiet' },
      { method: 'GET', kind: 'unknown', path: '/elsewhere?a=b', body: '' },
    ])
    expect(fresh.requests[0]?.body).toBe('{ "seed": {} }')
    expect(fresh.requests[0]?.headers).toMatchObject(credentials(fresh))
  })
})
