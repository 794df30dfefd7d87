import { EventEmitter } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import type { CacheServices } from '../../../../src/runner/storage/cache-client.ts'
import { answerRequests } from '../../../../src/runner/storage/worker-answers.ts'
import type {
  WorkerMessage,
  WorkerRequest,
} from '../../../../src/runner/storage/worker-protocol.ts'
import { WorkerRequests } from '../../../../src/runner/storage/worker-requests.ts'

const forever = new AbortController().signal

/** A thread without a program: `asked` is what it was asked, `tell` lets it answer. */
class FakeWorker extends EventEmitter {
  readonly asked: WorkerRequest[] = []
  keepsAlive = true

  postMessage(request: WorkerRequest): void {
    this.asked.push(request)
  }

  tell(message: WorkerMessage): void {
    this.emit('message', message)
  }

  ref(): void {
    this.keepsAlive = true
  }

  unref(): void {
    this.keepsAlive = false
  }

  terminate(): Promise<number> {
    this.emit('exit', 1)
    return Promise.resolve(1)
  }
}

function open() {
  const worker = new FakeWorker()
  const lines: string[] = []
  const requests = new WorkerRequests<CacheServices>(worker, (line) => lines.push(line))
  return { worker, lines, requests }
}

const none = { kind: 'report', report: { kind: 'none' } } as const

describe('requests to a thread', () => {
  it('get their own answers, in whatever order these come', async () => {
    const { worker, requests } = open()
    const first = requests.ask('find', { prefix: 'a' }, forever)
    const second = requests.ask('save', { key: 'b' }, forever)
    worker.tell({ id: 2, kind: 'report', report: { kind: 'saved' } })
    worker.tell({ id: 1, ...none })
    expect(await first).toEqual(none)
    expect(await second).toEqual({ kind: 'report', report: { kind: 'saved' } })
  })

  it('keep the program alive while one is under way, and no longer', async () => {
    const { worker, requests } = open()
    expect(worker.keepsAlive).toBe(false)
    const asked = [1, 2].map(() => requests.ask('find', { prefix: 'a' }, forever))
    worker.tell({ id: 1, ...none })
    await asked[0]
    expect(worker.keepsAlive).toBe(true)
    worker.tell({ id: 2, ...none })
    await asked[1]
    expect(worker.keepsAlive).toBe(false)
  })

  it('are given up with the last line of their own; later lines are handed on all the same', async () => {
    const { worker, lines, requests } = open()
    const controller = new AbortController()
    const asked = requests.ask('find', { prefix: 'a' }, controller.signal)
    worker.tell({ id: 1, kind: 'line', line: '::warning::one' })
    for (const line of ['::add-mask::s', '::debug::d', '[command]/usr/bin/tar'])
      worker.tell({ id: 1, kind: 'line', line })
    worker.tell({ id: 7, kind: 'line', line: 'of another' })
    controller.abort()
    expect(await asked).toEqual({ kind: 'given-up', lastLine: 'one' })
    worker.tell({ id: 1, kind: 'line', line: '::add-mask::late' })
    worker.tell({ id: 1, ...none })
    expect(lines.slice(-2)).toEqual(['of another', '::add-mask::late'])
    expect(lines).toHaveLength(6)
  })

  it('are told of their own progress', async () => {
    const { worker, requests } = open()
    const progress: number[] = []
    const asked = [1, 2].map((number) =>
      requests.ask('find', { prefix: 'a' }, forever, () => progress.push(number)),
    )
    worker.tell({ id: 2, kind: 'progress' })
    worker.tell({ id: 2, ...none })
    await asked[1]
    worker.tell({ id: 2, kind: 'progress' })
    worker.tell({ id: 1, ...none })
    await asked[0]
    expect(progress).toEqual([2])
  })

  it('are not sent when it is too late already', async () => {
    const { worker, requests } = open()
    const answer = await requests.ask('find', { prefix: 'a' }, AbortSignal.abort())
    expect([answer.kind, worker.asked]).toEqual(['given-up', []])
  })

  it('fail with the thread, those to come too', async () => {
    const { worker, requests } = open()
    const asked = requests.ask('find', { prefix: 'a' }, forever)
    worker.emit('error', new RangeError('out of memory'))
    worker.emit('exit', 1)
    const failure = { kind: 'failure', name: 'RangeError', message: 'out of memory' }
    expect(await asked).toEqual(failure)
    expect(await requests.ask('save', { key: 'b' }, forever)).toEqual(failure)
  })
})

describe('a thread', () => {
  const services = {
    find: () => Promise.reject(new TypeError('broken')),
    save: () => Promise.resolve({ kind: 'saved' as const }),
  }

  it.each([
    ['answers a rejection as the failure of that request', 'find', 'TypeError', 'broken'],
    ['refuses what it does not know', 'toString', 'Error', 'this thread does not know toString'],
  ])('%s', async (_, service, name, message) => {
    const port = new EventEmitter()
    const { promise, resolve } = Promise.withResolvers<WorkerMessage>()
    answerRequests<CacheServices>(Object.assign(port, { postMessage: resolve }), services)
    port.emit('message', { id: 4, service, order: { prefix: 'a' } })
    expect(await promise).toEqual({ id: 4, kind: 'failure', name, message })
  })
})
