import { execFileSync } from 'node:child_process'
import { open, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { within, until } from '../action/support/until.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { openRunner, type Runner } from '../support/storage.ts'

const forever = new AbortController().signal

/** An artifact of one small file. */
async function order({ temp }: Runner, name = 'report') {
  const file = path.join(temp, 'result.json')
  await writeFile(file, '{}')
  return { name, files: [file], folder: temp, retentionDays: 1 }
}

/** A file with a thread's program: `answer(id, report)` and `parentPort` are there. */
async function program({ temp }: Runner, text: string): Promise<string> {
  const file = path.join(temp, 'program.mjs')
  const answer = `(id, report) => parentPort.postMessage({ id, kind: 'report', report })`
  const head = `import { parentPort } from 'node:worker_threads'\nconst answer = ${answer}\n`
  await writeFile(file, `${head}${text}`)
  return file
}

describe('one thread with both of GitHub’s clients', () => {
  it('saves and finds while an upload is under way', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage()
    const reached = Promise.withResolvers<undefined>()
    const released = Promise.withResolvers<undefined>()
    const pause = async () => {
      reached.resolve(undefined)
      await released.promise
    }
    runner.artifacts.inject({ on: 'blob', fault: 'pause', until: pause, times: 1 })
    const upload = storage.upload(await order(runner))
    await within(reached.promise)
    const saved = await storage.save('run-1', forever)
    const found = await storage.find('run-', forever)
    expect(runner.artifacts.artifacts).toEqual([])
    released.resolve(undefined)
    expect(saved).toEqual({ kind: 'report', report: { kind: 'saved' } })
    expect(found).toEqual({ kind: 'report', report: { kind: 'found', key: 'run-1' } })
    expect(await upload).toMatchObject({ kind: 'uploaded', id: 4242 })
  })

  it('uploads while a look-up hangs, and saves after it was given up', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage()
    runner.cache.inject({ on: 'look-up', fault: 'stall' })
    const controller = new AbortController()
    const found = storage.find('run-', controller.signal)
    await until(() => runner.cache.requests.length > 0)
    expect(await storage.upload(await order(runner))).toMatchObject({ kind: 'uploaded' })
    controller.abort()
    expect(await found).toMatchObject({ kind: 'given-up' })
    expect(await storage.save('run-1', forever)).toMatchObject({ report: { kind: 'saved' } })
  })

  it('masks what its clients ask to mask, and shows their lines for debugging alone', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage()
    await Promise.all([storage.upload(await order(runner)), storage.save('run-1', forever)])
    const signatures = runner.lines.join('\n').match(/(?<=[?&]sig=)[\w-]{20,}/g) ?? []
    expect(runner.masks.length).toBeGreaterThan(1)
    expect(signatures.filter((one) => !runner.masks.includes(one))).toEqual([])
    expect(runner.lines).toContainEqual(
      expect.stringMatching(/^storage client: .*Beginning upload/),
    )
    expect(runner.lines).toContainEqual(expect.stringMatching(/^storage client: .*tar/))
  })

  it('packs without listing what it packed in the runner’s debug log', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage({ env: { RUNNER_DEBUG: '1' } })
    await storage.save('run-1', forever)
    const commands = runner.lines.filter((line) => line.includes('[command]'))
    expect(commands).toEqual([expect.stringContaining(' -cf ')])
  })

  it.each(['/no/such/missing.js', 'missing.js'])(
    'that cannot be loaded from %s fails all who ask, and nobody else',
    async (file) => {
      await using runner = await openRunner()
      const storage = runner.openStorage({ file })
      storage.load()
      const message = expect.stringContaining('missing.js')
      expect(await storage.upload(await order(runner))).toMatchObject({ kind: 'failed', message })
      expect(await storage.save('run-1', forever)).toMatchObject({ kind: 'failure', message })
    },
  )

  it('that dies tells all who wait, and all who ask later', async () => {
    await using runner = await openRunner()
    const text = `let asked = 0
      parentPort.on('message', () => { if (++asked === 3) process.exit(3) })`
    const storage = runner.openStorage({ file: await program(runner, text) })
    const all = [storage.find('run-', forever), storage.save('run-1', forever)]
    const upload = storage.upload(await order(runner))
    const message = 'the storage client ended without an answer'
    expect(await Promise.all(all)).toMatchObject(Array(2).fill({ kind: 'failure', message }))
    expect(await upload).toMatchObject({ kind: 'failed', message })
    expect(await storage.find('run-', forever)).toMatchObject({ kind: 'failure', message })
  })
})

describe('an upload that is given up', () => {
  const stuck = `parentPort.on('message', ({ id, service }) => {
    if (service === 'upload') for (;;);
    answer(id, service)
  })`

  it('leaves nobody behind it waiting', async () => {
    await using runner = await openRunner()
    const file = await program(runner, stuck)
    const storage = runner.openStorage({ file, cancelled: AbortSignal.timeout(200) })
    const report = await within(storage.upload(await order(runner)))
    expect(report).toEqual({ kind: 'failed', name: 'Cancelled', message: 'cancelled' })
    expect(await within(storage.save('run-1', forever))).toMatchObject({ report: 'save' })
  })
})

describe('the end of the step', () => {
  it('ends the thread and tells all who wait or ask later', async () => {
    await using runner = await openRunner()
    const text = `parentPort.on('message', () => undefined)`
    const storage = runner.openStorage({ file: await program(runner, text) })
    const found = storage.find('run-', forever)
    await within(storage.stop())
    expect(await found).toMatchObject({ kind: 'failure' })
    const late = await storage.save('run-1', forever)
    expect(late).toMatchObject({ kind: 'failure', message: 'the step has ended' })
  })

  const itWithFifos = process.platform === 'win32' ? it.skip : it

  itWithFifos('does not wait for a thread that waits for its disk', async () => {
    await using runner = await openRunner()
    const fifo = path.join(runner.temp, 'fifo')
    execFileSync('mkfifo', [fifo])
    // Opening it blocks until somebody writes, as a disk that is gone does.
    const text = `import { open } from 'node:fs'
      parentPort.on('message', () => { open(${JSON.stringify(fifo)}, 'r', () => {}); console.log('blocked') })`
    const file = await program(runner, text)
    const storage = runner.openStorage({ file, clock: new SimulatedClock() })
    void storage.find('run-', forever)
    await until(() => runner.lines.length > 0)
    await within(storage.stop())
    // Lets go of it, so that the thread can end; open for both, it never waits for a reader itself.
    await (await open(fifo, 'r+')).close()
  })
})
