import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { readLogEnd } from '../../../src/actions/file-ends.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** Returns the last 8 KiB of a log with this content. The text `correct-horse` is a secret. */
async function endOf(content: string | Buffer): Promise<string | undefined> {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, content)
  const secrets = new Secrets(() => undefined)
  secrets.add('correct-horse')
  return await readLogEnd(file, 8 * 1024, secrets)
}

describe('the end of a log', () => {
  it('is all of a short log, as people may see it', async () => {
    expect(await endOf('\u001b[31mone\u001b[0m\ncorrect-horse\n')).toBe('one\n***\n')
  })

  it.each([
    ['a progress bar', '1 %\r50 %\r100 %\ndone\n', '100 %\ndone\n'],
    ['one that erases its line at the end', '1 %\r100 %\r\u001b[2K\ndone\n', '100 %\ndone\n'],
    ['line breaks of Windows', 'one\r\ntwo\0\r\n', 'one\ntwo\n'],
    ['a bar that has not ended', 'one\n10 %\r', 'one\n10 %'],
    ['a line of only carriage returns', 'one\n\r\r\r\ntwo', 'one\n\ntwo'],
  ])('has the last state of each line: %s', async (_what, log, shown) => {
    expect(await endOf(log)).toBe(shown)
  })

  it('is whole lines', async () => {
    const line = `${'x'.repeat(80)} correct-horse <&>\n`

    expect(await endOf(line.repeat(1_000))).toBe(`${'x'.repeat(80)} *** <&>\n`.repeat(92))
  })

  it.each([
    ['on one line', 'correct-horse '.repeat(3_000)],
    ['on lines of its own', 'correct-horse\n'.repeat(3_000)],
  ])('contains no part of a secret %s', async (_, content) => {
    expect(await endOf(content)).toMatch(/^[* \n]{3000,}$/)
  })

  it.each([
    ['\rKilled: out of memory', 'Killed: out of memory'],
    ['\rKilled: out of memory\n', 'Killed: out of memory\n'],
    ['\r\n', 'correct-tail 42 % ***\n'],
    ['\nbye\n', 'correct-tail 42 % ***\nbye\n'],
  ])('with a progress bar is the last state of the bar, before %j', async (end, shown) => {
    expect(await endOf(`${'\rcorrect-tail 42 % correct-horse'.repeat(1_000)}${end}`)).toBe(shown)
  })

  it.each(['', '\n', '\r\n', '\r', '\r \n'])(
    'with a long state of a bar contains no part of a secret, before %j',
    async (end) => {
      const log = `start correct-horse${'.'.repeat(16 * 1024 - 10 - end.length)}${end}`

      expect((await endOf(log))?.trim()).toMatch(/^\.{8000,8192}$/)
    },
  )

  it.each([
    ['gzip', gzipSync(randomBytes(2_000))],
    ['UTF-16', Buffer.from('loading 48 models\n', 'utf16le')],
    ['zeros', Buffer.from('load\0')],
  ])('is nothing if the log is not text: %s', async (_, content) => {
    expect(await endOf(content)).toBeUndefined()
  })

  it('is text if few characters are not UTF-8', async () => {
    expect(await endOf(Buffer.from('12 Stück geladen', 'latin1'))).toBe('12 St\ufffdck geladen')
  })

  it('is empty if the file is gone', async () => {
    expect(await readLogEnd('/nowhere/run.log', 100, new Secrets(() => undefined))).toBe('')
  })
})
