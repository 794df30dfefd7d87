import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readLogEnd } from '../../../src/actions/file-ends.ts'
import { readCause } from '../../../src/execution/cause.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const kib = 1024
const near = 64 * kib
const whole = 1024 * kib

/** The cause of a log, where `correct-horse` is a secret, and how much of it was redacted. */
async function causeOf(log: string) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, log)
  const secrets = new Secrets(() => undefined)
  secrets.add('correct-horse')
  const reads: number[] = []
  const cause = await readCause({ path: file, size: Buffer.byteLength(log) }, (source, limit) => {
    reads.push(limit)
    return readLogEnd(source, limit, secrets)
  })
  return { text: cause?.text, file: cause?.file, reads }
}

const quiet = (size: number) => 'fetched a page\n'.repeat(Math.ceil(size / 15))
const own = 'Traceback (most recent call last):\n  File "/app/main.py", line 12, in main\n'
const library = '  File "/usr/lib/python3.12/site-packages/x.py", line 3, in inside\n'

describe('of a long log, the last 64 KiB are enough where they have', () => {
  it.each([
    ['an error', `${quiet(200 * kib)}error: no rows\nbye\n`, 'error: no rows'],
    ['a traceback', `${quiet(200 * kib)}${own}${library}KeyError: 1\n`, 'KeyError: 1'],
    ['only libraries in it', `${quiet(200 * kib)}${library}KeyError: 1\n`, 'KeyError: 1'],
  ])('%s', async (_, log, text) => {
    expect(await causeOf(log)).toMatchObject({ text, reads: [near] })
  })
})

describe('the last MiB of a log is read where its last 64 KiB have', () => {
  it.each([
    ['nothing like an error', `error: no rows\n${quiet(200 * kib)}`, 'error: no rows'],
    ['nothing like an error anywhere', quiet(200 * kib), 'fetched a page'],
    ['the end of a traceback', `${own}${library.repeat(2 * kib)}KeyError: 1\n`, 'KeyError: 1'],
    [
      'lines after a traceback that read like errors',
      `${own}KeyError: 1\n${quiet(200 * kib)}error: no page\n`,
      'KeyError: 1',
    ],
    ['one line without an end', `error: no rows\n${'x'.repeat(200 * kib)}`, 'error: no rows'],
  ])('%s', async (_, log, text) => {
    expect(await causeOf(log)).toMatchObject({ text, reads: [near, whole] })
  })

  it('and names the file of a traceback that begins before them', async () => {
    const { file } = await causeOf(`${own}${library.repeat(2 * kib)}KeyError: 1\n`)
    expect(file).toBe('/app/main.py')
  })
})

it('a short log is read once', async () => {
  expect(await causeOf('first\nlast\n')).toMatchObject({ text: 'last', reads: [near] })
})

it('the cause has no half of a secret, wherever the reading begins', async () => {
  for (let shift = 0; shift < 14; shift++) {
    const { text } = await causeOf(`${'correct-horse '.repeat(20 * kib)}${'!'.repeat(shift)}`)
    expect(text).not.toMatch(/[a-z]/)
  }
})
