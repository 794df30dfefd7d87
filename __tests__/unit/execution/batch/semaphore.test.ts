import { describe, expect, it } from '@jest/globals'
import { Semaphore } from '../../../../src/execution/batch/semaphore.ts'

const forever = new AbortController().signal
const given = new Error('no longer needed')

/** Takes the only permit of a semaphore. `settled` returns who got a permit since, or gave up. */
async function takenOnce() {
  const semaphore = new Semaphore(1)
  const permit = await semaphore.acquire(forever)
  const told: string[] = []
  const wait = (name: string, signal = forever) =>
    void semaphore.acquire(signal).then(
      () => told.push(name),
      (error: unknown) => told.push(error === given ? `${name} gave up` : `${name}: bug`),
    )
  const settled = () => new Promise((resolve) => setImmediate(resolve)).then(() => told)
  return { give: () => permit[Symbol.dispose](), wait, settled }
}

describe('a permit', () => {
  it('goes to one who waits, however often it is given back', async () => {
    const { give, wait, settled } = await takenOnce()
    for (const name of ['first', 'second']) wait(name)
    give()
    give()
    expect(await settled()).toEqual(['first'])
  })

  it.each([
    ['before the permit comes', false],
    ['right after the permit came', true],
  ])('goes to the next if somebody gives up %s', async (_, isGiven) => {
    const { give, wait, settled } = await takenOnce()
    const controller = new AbortController()
    wait('first', controller.signal)
    wait('second')
    if (isGiven) give()
    controller.abort(given)
    if (!isGiven) give()
    expect((await settled()).toSorted()).toEqual(['first gave up', 'second'])
  })
})
