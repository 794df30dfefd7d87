import { randomBytes } from 'node:crypto'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { within, until } from '../action/support/until.ts'
import { openRunner, skippingPauses, type Runner } from '../support/storage.ts'

const forever = new AbortController().signal
const file = { key: 'run-1', name: 'record', content: new Uint8Array() }
const query = { prefix: 'run-', name: 'record' }

/** Returns the order for an artifact with these files. */
async function order({ temp }: Runner, contents: Record<string, Uint8Array | string> = {}) {
  const files = Object.entries({ 'result.json': '{}', ...contents })
  for (const [name, content] of files) await writeFile(path.join(temp, name), content)
  const paths = files.map(([name]) => path.join(temp, name))
  return { name: 'report', files: paths, folder: temp, retentionDays: 1, replaces: false }
}

// Reading this file fails, also for root.
const unreadableFile = '/proc/self/mem'
const onLinux = process.platform === 'linux' ? it : it.skip

describe('both of GitHub’s clients', () => {
  it('save and find while an upload is under way', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage()
    const reached = Promise.withResolvers<undefined>()
    const released = Promise.withResolvers<undefined>()
    const pause = async () => {
      reached.resolve(undefined)
      await released.promise
    }
    runner.artifacts.inject({ on: 'blob', fault: 'pause', until: pause, times: 1 })
    const noise = randomBytes(9 * 1024 * 1024)
    const upload = storage.upload(await order(runner, { noise }))
    await within(reached.promise)
    await storage.save(file, forever)
    const found = await storage.find(query, forever)
    expect(runner.artifacts.artifacts).toEqual([])
    released.resolve(undefined)
    expect(found).toBe('run-1')
    expect(await upload).toMatchObject({ id: 4242 })
    // The file was sent in several blocks.
    expect(runner.artifacts.artifacts[0]?.files['noise']?.equals(noise)).toBe(true)
  })

  it.each(['stall', 'cut'] as const)(
    'upload and save even if the reply to a look-up is lost: %s',
    async (fault) => {
      await using runner = await openRunner()
      const storage = runner.openStorage()
      runner.cache.inject({ on: 'look-up', fault })
      const controller = new AbortController()
      const found = expect(storage.find(query, controller.signal)).rejects.toThrow()
      await until(() => runner.cache.requests.length > 0)
      await storage.upload(await order(runner))
      controller.abort()
      await within(found)
      await storage.save(file, forever)
    },
  )

  it('ask for a mask of each signature, and print only for debugging', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage()
    await Promise.all([storage.upload(await order(runner)), storage.save(file, forever)])
    const signatures = runner.lines.join('\n').match(/(?<=[?&]sig=)[\w-]{20,}/g) ?? []
    expect(runner.masks.length).toBeGreaterThan(1)
    expect(signatures.filter((one) => !runner.masks.includes(one))).toEqual([])
    expect(runner.lines).toContainEqual(
      expect.stringMatching(/^storage client: .*Beginning upload/),
    )
  })

  it('pack without listing what they packed in the runner’s debug log', async () => {
    await using runner = await openRunner()
    const storage = runner.openStorage({ RUNNER_DEBUG: '1' })
    await storage.save(file, forever)
    const commands = runner.lines.filter((line) => line.includes('[command]'))
    expect(commands).toEqual([expect.stringContaining(' -cf ')])
  })
})

describe('a record', () => {
  it('includes no files beside it', async () => {
    await using runner = await openRunner()
    const folder = path.join(runner.temp, '.run-automation')
    await mkdir(folder)
    await writeFile(path.join(folder, 'notes'), 'notes')
    const storage = runner.openStorage()
    await storage.save(file, forever)
    const packed = runner.lines.join('\n')
    expect(packed).toContain('.run-automation/record')
    expect(packed).not.toContain('notes')
    const restored = await storage.restore({ key: 'run-1', name: 'record', maxSize: 0 }, forever)
    expect(restored).toEqual(Buffer.alloc(0))
  })
})

describe('an upload', () => {
  it('is ended by the client if the store accepts no byte', async () => {
    await using runner = await openRunner()
    const env = { ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: '200' }
    const storage = runner.openStorage(env, skippingPauses())
    const never = () => new Promise<never>(() => undefined)
    runner.artifacts.inject({ on: 'blob', fault: 'pause', until: never })
    const upload = storage.upload(await order(runner))
    await expect(within(upload)).rejects.toThrow('Upload progress stalled')
  })

  onLinux(
    'has failed if a file cannot be read when it is sent, and nothing else fails',
    async () => {
      await using runner = await openRunner()
      const storage = runner.openStorage()
      const unreadable = path.join(runner.temp, 'unreadable')
      await symlink(unreadableFile, unreadable)
      const readable = await order(runner)
      const upload = storage.upload({ ...readable, files: [...readable.files, unreadable] })
      await expect(within(upload)).rejects.toThrow(
        'An error has occurred during zip creation for the artifact',
      )
      await storage.save(file, forever)
    },
  )

  it('has the words of the store if the store refuses', async () => {
    await using runner = await openRunner()
    const headers = { 'content-type': 'application/xml' }
    const body = '<Error><Message>Expired</Message></Error>'
    const fault = { on: 'blob', fault: 'status', status: 403, body, headers, times: 1 } as const
    runner.artifacts.inject(fault)
    const upload = runner.openStorage().upload(await order(runner))
    await expect(upload).rejects.toThrow('Expired')
  })
})
