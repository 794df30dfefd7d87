import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { json, post, start } from './caller.ts'

describe('start-automation', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    const own = { quiet: 'quiet', 'listed-only': 'listed-only' }
    sandbox = await openSandbox({ projects: { demo: 'all', 'my project': { ...own } } })
  })
  afterAll(() => sandbox.close())

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

  it.each([
    ['{"seed":', /not valid JSON/],
    ['[]', /body/],
    ['null', /body/],
    ['{"seed":[1]}', /seed/],
    ['{"webhook":"not an address"}', /webhook/],
    ['{"webhook_header":{"a":1}}', /webhook_header/],
  ])('body %j: 400', async (body, words) => {
    const before = sandbox.executions.length
    const answer = await start(sandbox, 'quiet', body)
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ message: expect.stringMatching(words) })
    expect(sandbox.executions).toHaveLength(before)
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
})
