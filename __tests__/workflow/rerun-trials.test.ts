import { expect, it } from '@jest/globals'
import { ActRecord } from '../../scripts/test-workflows/record.ts'
import { checkTakeover } from '../../scripts/test-workflows/rerun-trials.ts'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'

const takenOver = (id: string) =>
  `Execution ${id}, which attempt 1 started, is still running: waiting for it; nothing new is started`

/** What act says of a step that prints these lines. */
function record(lines: string[]): ActRecord {
  const written = new ActRecord()
  for (const msg of ['⭐ Run Main Report', ...lines])
    written.add(JSON.stringify({ job: 'a', jobID: 'a', stage: 'Main', stepID: ['0'], msg }))
  return written
}

async function start({ baseUrl, apiToken, apiKey, executions }: Sandbox): Promise<string> {
  const credentials = { authorization: `Token ${apiToken}`, 'x-api-key': apiKey }
  const headers = { ...credentials, 'content-type': 'application/json' }
  const url = `${baseUrl}/api/start-automation/demo/slow-count`
  await fetch(url, { method: 'POST', headers, body: '{}' })
  return executions.at(-1)?.id ?? '?'
}

it('a takeover tells the execution first, and starts nothing', async () => {
  await using sandbox = await openSandbox()
  const id = await start(sandbox)
  sandbox.requests.length = 0
  const { passed, problems } = checkTakeover({ sandbox }, record([takenOver(id), 'Service x']))
  expect([passed.length, problems]).toEqual([2, []])
})

it('a second start is none, even if it is refused', async () => {
  await using sandbox = await openSandbox()
  const id = await start(sandbox)
  const { problems } = checkTakeover({ sandbox }, record(['Service x', takenOver(id)]))
  expect(problems).toEqual([
    `The log begins with: Service x\nexpected: ${takenOver(id)}`,
    'the service got 1 more starts',
  ])
})
