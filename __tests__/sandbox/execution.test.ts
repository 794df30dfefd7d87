import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { check, json, run, send, start } from './caller.ts'

const none = { finished: false, error: false, stopped: false, container_error: false }
const over = { ...none, finished: true }

describe('an execution', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.close())

  it('has no flag and no links while it is running, and can be stopped', async () => {
    await start(sandbox, 'slow-count', { seed: { seconds: 600 } })
    const execution = sandbox.executions.at(-1)
    const id = execution?.id ?? ''
    const links = { result_url: null, logs_url: null }
    expect(json(await check(sandbox, id))).toEqual({ exec_uuid: id, ...none, ...links })
    sandbox.stop(id)
    await execution?.over
    expect(json(await check(sandbox, id))).toMatchObject({ ...over, stopped: true })
    expect(execution?.finishedAt).toBeGreaterThanOrEqual(execution?.startedAt ?? Infinity)
  })

  it('that raised has the error flag and a Python traceback with the real file and line', async () => {
    const { record, logsUrl, resultUrl } = await run(sandbox, 'broken-report')
    expect(record).toMatchObject({ ...over, error: true })
    const log = (await send(logsUrl)).text
    expect(log).toMatch(/^reading 5 months\nmonth 1: /)
    expect(log).toContain('Traceback (most recent call last):\n  File "sandbox/automations/broken-')
    const calls = [...log.matchAll(/broken-report\.ts", line (\d+), in (\w+)\n {4}(\w+)/g)]
    expect(calls.map((call) => call.slice(1))).toEqual([
      ['14', 'brokenReport', 'total'],
      ['23', 'readAmount', 'throw'],
    ])
    expect(log).toMatch(/\nValueError: could not convert string to float: 'n\/a'\n$/)
    expect((await send(resultUrl)).text).toBe('null')
  })

  it('of an automation that keeps nothing has no links', async () => {
    await using forgetful = await openSandbox({ keep: false })
    const gone = { ...over, result_url: null, logs_url: null }
    expect((await run(forgetful, 'quiet')).record).toMatchObject(gone)
  })

  it('can have scripted answers, one per check, of which the last repeats', async () => {
    sandbox.script('next', [{ error: true }, 'real', { finished: true, container_error: true }])
    const { id, record } = await run(sandbox, 'quiet')
    expect(record).toMatchObject({ ...none, error: true, result_url: null })
    expect(json(await check(sandbox, id))).toMatchObject(over)
    for (let call = 0; call < 2; call++) {
      const scripted = json(await check(sandbox, id))
      expect(scripted).toMatchObject({ ...over, container_error: true })
      expect((await send(String(scripted['logs_url']))).status).toBe(200)
    }
    sandbox.script(id, [{ finished: true, result_url: null, logs_url: '' }])
    expect(json(await check(sandbox, id))).toMatchObject({ result_url: null, logs_url: '' })
  })
})
