import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { readCause } from '../../../src/actions/file-ends.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

const kib = 1024

/** Returns the cause in a log. The text `correct-horse` is a secret. */
async function causeOf(log: string) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'run.log')
  await writeFile(file, log)
  const secrets = new Secrets(() => undefined)
  secrets.add('correct-horse')
  return await readCause(file, secrets)
}

const quiet = (size: number) => 'fetched a page\n'.repeat(Math.ceil(size / 15))

it('the cause is looked for in the last MiB of a log', async () => {
  const near = await causeOf(`error: no rows\n${quiet(1023 * kib)}`)
  const far = await causeOf(`error: no rows\n${quiet(1024 * kib)}`)

  expect(near).toEqual({ text: 'error: no rows' })
  expect(far).toEqual({ text: 'fetched a page', isLastLine: true })
})

it('the cause is redacted before it is cut to 1,000 characters, also in JSON that hides a secret', async () => {
  const message = `${'x'.repeat(990)}correct\\u002dhorse${'y'.repeat(20)}`
  const cause = await causeOf(`{"level":"error","message":"${message}"}\n`)
  expect(cause?.text).toBe(`${'x'.repeat(990)}***${'y'.repeat(6)}…`)
})

it('the cause contains no part of a secret, wherever the read begins', async () => {
  for (let shift = 0; shift < 14; shift++) {
    const log = `${'correct-horse '.repeat(80 * kib)}${'!'.repeat(shift)}`
    expect((await causeOf(log))?.text ?? '').not.toMatch(/[a-z]/)
  }
})
