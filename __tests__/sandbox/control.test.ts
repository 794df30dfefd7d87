import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, json, run, send, start } from './caller.ts'

describe('the control routes', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.close())

  const control = (method: string, path: string, body = '') =>
    send(`${sandbox.baseUrl}/control/${path}`, { method, body })

  it('GET health', async () => {
    expect(json(await control('GET', 'health'))).toEqual({ status: 'ok' })
  })

  it('POST stop/<execution id> is the stop from the dashboard', async () => {
    await start(sandbox, 'slow-count', { seed: { seconds: 600 } })
    const execution = sandbox.executions.at(-1)
    const id = execution?.id ?? ''
    expect((await control('POST', `stop/${id}`)).status).toBe(200)
    await execution?.over
    expect(json(await check(sandbox, id))).toMatchObject({ finished: true, stopped: true })
    expect((await control('POST', 'stop/never-was')).status).toBe(404)
  })

  it('POST faults injects one, and names what is wrong with one that does not exist', async () => {
    const fault = { on: 'start', fault: 'status', status: 502 }
    expect((await control('POST', 'faults', JSON.stringify(fault))).status).toBe(200)
    expect((await start(sandbox, 'quiet')).status).toBe(502)
    const wrong = await control('POST', 'faults', '{"on":"moon","fault":"status"}')
    expect(wrong.status).toBe(400)
    expect(json(wrong)['message']).toContain('"on"')
  })

  it('POST script/<execution id or next> sets the status answers to come', async () => {
    expect((await control('POST', 'script/next', '[{"error":true}]')).status).toBe(200)
    const { record } = await run(sandbox, 'quiet')
    expect(record).toMatchObject({ error: true, finished: false })
    expect((await control('POST', 'script/never-was', '[]')).status).toBe(400)
  })

  it('GET executions lists them all', async () => {
    const { id } = await run(sandbox, 'quiet')
    const { executions } = json(await control('GET', 'executions'))
    expect(executions).toContainEqual(expect.objectContaining({ id, automation: 'quiet' }))
    expect((await control('GET', 'elsewhere')).status).toBe(404)
  })
})
