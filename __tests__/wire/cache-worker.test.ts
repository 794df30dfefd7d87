import { describe, expect, it } from '@jest/globals'
import { openThread } from '../../src/runner/storage/open-thread.ts'
import { startStep } from '../../sandbox/runner/runner.ts'
import { until, within } from '../action/support/until.ts'
import { makeAction } from '../sandbox-runner/fixture-action.ts'
import { openRunner, type Runner, workerFile } from '../support/storage.ts'

const forever = new AbortController().signal

/** A thread with GitHub's clients; `lines` has their lines and masks in the order they came in. */
function open({ environment }: Runner) {
  const lines: string[] = []
  const watchers: ((line: string) => void)[] = []
  const take = (line: string) => {
    lines.push(line)
    for (const watch of watchers) watch(line)
  }
  const mask = (value: string) => take(`mask ${value}`)
  const { requests } = openThread({ workerFile, environment, debug: take, mask })
  /** A signal that comes with the first line that has these words. */
  const lineWith = (words: string): AbortSignal => {
    const controller = new AbortController()
    watchers.push((line) => line.includes(words) && controller.abort())
    return controller.signal
  }
  return { lines, lineWith, requests, [Symbol.asyncDispose]: () => requests.stop() }
}

describe('a thread that several callers ask', () => {
  it('answers each with its own, and hands the client’s masks on before what they hide', async () => {
    await using runner = await openRunner()
    await using thread = open(runner)
    const { requests, lines } = thread
    const save = (key: string) => requests.ask('save', { key }, forever)
    const find = (prefix: string) => requests.ask('find', { prefix }, forever)
    const saved = await Promise.all([save('a-1'), find('nothing'), save('b-1')])
    const found = await Promise.all(['a', 'b', 'c'].map(find))
    expect([...saved, ...found]).toMatchObject([
      { report: { kind: 'saved' } },
      { report: { kind: 'none' } },
      { report: { kind: 'saved' } },
      { report: { kind: 'found', key: 'a-1' } },
      { report: { kind: 'found', key: 'b-1' } },
      { report: { kind: 'none' } },
    ])
    const masked = lines.findIndex((line) => line.startsWith('mask '))
    const shown = lines.findIndex((line) => line.includes('signed_upload_url'))
    expect(masked).toBeGreaterThan(-1)
    expect(shown).toBeGreaterThan(masked)
  })

  it('is given up by one caller, with why it took so long, and answers the next', async () => {
    await using runner = await openRunner()
    await using thread = open(runner)
    const { requests, lineWith } = thread
    runner.cache.inject({ on: 'look-up', fault: 'status', status: 503, times: 1 })
    const answer = await requests.ask('find', { prefix: 'a' }, lineWith('Attempt 1'))
    const lastLine = expect.stringContaining(
      'Attempt 1 of 5 failed with error: Failed request: (503)',
    )
    expect(answer).toEqual({ kind: 'given-up', lastLine })
    const next = await requests.ask('find', { prefix: 'b' }, forever)
    expect(next).toEqual({ kind: 'report', report: { kind: 'none' } })
  })

  it.each<[string, 'stall' | 'cut']>([
    ['never comes', 'stall'],
    ['is cut in the middle', 'cut'],
  ])('is given up where the reply %s', async (_, fault) => {
    await using runner = await openRunner()
    await using thread = open(runner)
    const { requests } = thread
    runner.cache.inject({ on: 'look-up', fault })
    const controller = new AbortController()
    const asked = requests.ask('find', { prefix: 'a' }, controller.signal)
    await until(() => runner.cache.requests.length > 0)
    controller.abort()
    expect(await within(asked)).toMatchObject({ kind: 'given-up' })
    await within(requests.stop())
    expect(await requests.ask('find', { prefix: 'b' }, forever)).toMatchObject({ kind: 'failure' })
  })
})

it('a thread that nobody asks any more lets the program end', async () => {
  const ours = (name: string) =>
    JSON.stringify(new URL(`../../src/runner/storage/${name}.ts`, import.meta.url).href)
  await using action = await makeAction(`
    import { isMainThread, parentPort, Worker } from 'node:worker_threads'
    import { answerRequests } from ${ours('worker-answers')}
    import { WorkerRequests } from ${ours('worker-requests')}
    if (isMainThread) {
      const requests = new WorkerRequests(new Worker(new URL(import.meta.url)), () => {})
      const { report } = await requests.ask('echo', 'hello', new AbortController().signal)
      console.log(report)
    } else answerRequests(parentPort, { echo: (text) => Promise.resolve(text) })`)
  const options = { action: action.folder, inputs: {}, artifactService: 'none' } as const
  await using running = startStep(options)
  const { stdout, stderr, exitCode } = await within(running.result)
  expect({ stdout, stderr, exitCode }).toEqual({ stdout: 'hello\n', stderr: '', exitCode: 0 })
})
