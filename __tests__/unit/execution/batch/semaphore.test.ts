import { describe, expect, it } from '@jest/globals'
import { Semaphore } from '../../../../src/execution/batch/semaphore.ts'

const forever = new AbortController().signal
const given = new Error('no longer needed')

/** Takes the only permit. `settled` returns the callers that have got a permit or given up. */
async function takenOnce() {
  const semaphore = new Semaphore(1)
  const permit = await semaphore.acquire(forever)
  const outcomes: string[] = []
  const wait = (name: string, signal = forever, isUrgent = false) =>
    void semaphore.acquire(signal, isUrgent).then(
      () => outcomes.push(name),
      (error: unknown) => outcomes.push(error === given ? `${name} gave up` : `${name}: bug`),
    )
  const settled = () => new Promise((resolve) => setImmediate(resolve)).then(() => outcomes)
  return { give: () => permit[Symbol.dispose](), wait, settled }
}

describe('a permit', () => {
  it('goes to only one caller, even if it is given back twice', async () => {
    const { give, wait, settled } = await takenOnce()
    for (const name of ['first', 'second']) wait(name)
    give()
    give()
    expect(await settled()).toEqual(['first'])
  })

  it('goes to an urgent caller first, even if the caller comes last', async () => {
    const { give, wait, settled } = await takenOnce()
    wait('first')
    wait('urgent', forever, true)
    give()
    expect(await settled()).toEqual(['urgent'])
  })

  it.each([
    ['before the permit comes', false],
    ['right after the permit came', true],
  ])('goes to the next caller if the first one gives up %s', async (_, isGiven) => {
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
