import { once } from 'node:events'
import { Agent, createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { watchTrafficOfThread } from '../../src/runner/storage/traffic.ts'
import { until } from '../action/support/until.ts'

// One for the process, as in the thread.
const watchTraffic = watchTrafficOfThread()

/** Answers are written by the test: `answers` has them by path. */
const answers = new Map<string, ServerResponse>()
const server = createServer((request, response) => {
  answers.set(request.url ?? '', response)
  response.flushHeaders()
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A task that makes one request and reads its answer; counts how often it is told of progress. */
function ask(path: string, agent: Agent) {
  const task = { progress: 0, done: Promise.resolve() }
  const { port } = server.address() as AddressInfo
  task.done = watchTraffic(
    () => (task.progress += 1),
    () =>
      new Promise<void>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, agent }, (response) =>
          response.on('end', resolve).resume(),
        ).on('error', reject)
      }),
  )
  return task
}

/** Bytes go to the task until it was told of them, so many times. */
async function feed(path: string, task: { progress: number }, times: number): Promise<void> {
  await until(() => answers.has(path))
  for (let time = 0; time < times; time++) {
    const before = task.progress
    answers.get(path)?.write('.')
    await until(() => task.progress > before)
  }
}

it('tells a task of its own bytes, and not of another’s', async () => {
  const stalled = ask('/stalled', new Agent())
  const moving = ask('/moving', new Agent())
  await feed('/stalled', stalled, 1)
  await feed('/moving', moving, 2)
  const seen = stalled.progress
  await feed('/moving', moving, 3)
  expect(stalled.progress).toBe(seen)
  for (const answer of answers.values()) answer.end()
  await Promise.all([stalled.done, moving.done])
})

it('tells the task whose request a connection carries now', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const first = ask('/first', agent)
  await feed('/first', first, 1)
  answers.get('/first')?.end()
  await first.done
  const second = ask('/second', agent)
  await feed('/second', second, 1)
  const seen = first.progress
  await feed('/second', second, 2)
  expect(first.progress).toBe(seen)
  expect(answers.get('/second')?.req.socket).toBe(answers.get('/first')?.req.socket)
  answers.get('/second')?.end()
  await second.done
  agent.destroy()
})

it('tells of the last bytes of a connection that is closed at once', async () => {
  const task = ask('/short', new Agent({ keepAlive: false }))
  await until(() => answers.has('/short'))
  answers.get('/short')?.end('.')
  await task.done
  await until(() => task.progress > 0)
})
