import { expect, it } from '@jest/globals'
import { Semaphore } from '../../../../src/execution/batch/semaphore.ts'

it.each([
  ['before the permit comes', false],
  ['right after the permit came', true],
])('a permit goes to the next caller if the first one gives up %s', async (_, isGiven) => {
  const forever = new AbortController().signal
  const impatient = new AbortController()
  const semaphore = new Semaphore(1)
  const permit = await semaphore.acquire(forever)
  const first = semaphore.acquire(impatient.signal)
  const second = semaphore.acquire(forever)
  if (isGiven) permit[Symbol.dispose]()
  impatient.abort(new Error('no longer needed'))
  if (!isGiven) permit[Symbol.dispose]()

  await expect(first).rejects.toThrow('no longer needed')
  await expect(second).resolves.toBeDefined()
})
