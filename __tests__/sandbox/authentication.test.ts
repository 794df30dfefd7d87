import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { credentials, json, send } from './caller.ts'

it.each([
  ['POST', '/api/create-project'],
  ['POST', '/api/start-automation/demo/quiet'],
  ['POST', '/api/start-automation/absent/absent'],
  ['GET', '/api/v4/execution/0b0c4d3e-0000-4000-8000-000000000000/status'],
])('%s %s asks for both headers before anything else', async (method, path) => {
  await using sandbox = await openSandbox()
  const { authorization, 'x-api-key': key } = credentials(sandbox)
  const insufficient = [
    {},
    { authorization },
    { 'x-api-key': key },
    { authorization, 'x-api-key': 'wrong' },
    { authorization: 'Token wrong', 'x-api-key': key },
    { authorization: `Bearer ${sandbox.apiToken}`, 'x-api-key': key },
  ] as Record<string, string>[]
  for (const headers of insufficient) {
    const answer = await send(sandbox.baseUrl + path, { method, headers })
    expect(answer.status).toBe(401)
    expect(json(answer)).toEqual({ detail: expect.any(String) })
  }
  expect(sandbox.executions).toEqual([])
})
