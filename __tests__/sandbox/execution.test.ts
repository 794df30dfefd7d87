import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { run, send } from './caller.ts'

it('an execution that raised has the error flag and a Python traceback with the real file and line', async () => {
  await using sandbox = await openSandbox()
  const { record, logsUrl, resultUrl } = await run(sandbox, 'broken-report')
  expect(record).toMatchObject({ finished: true, error: true })
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
