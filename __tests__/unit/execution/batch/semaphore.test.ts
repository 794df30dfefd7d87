import { getEventListeners } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { Semaphore } from '../../../../src/execution/batch/semaphore.ts'
import { neverAborts } from '../../../../sandbox/simulation/simulated-clock.ts'
import { rejectionOf } from '../../../support/rejection.ts'

/** Asks for a permit under this name; the order tells who has got one. */
function ask(semaphore: Semaphore, order: string[], name: string, signal = neverAborts) {
  const permit = semaphore.acquire(signal)
  permit.then(
    () => order.push(name),
    () => order.push(`not ${name}`),
  )
  return permit
}

describe('permits', () => {
  it('are given in the order in which they were asked for', async () => {
    const [semaphore, order] = [new Semaphore(1), [] as string[]]
    const first = await ask(semaphore, order, 'a')
    const second = ask(semaphore, order, 'b')
    const third = ask(semaphore, order, 'c')
    first[Symbol.dispose]()
    ;(await second)[Symbol.dispose]()
    await third

    expect(order).toEqual(['a', 'b', 'c'])
  })

  it('are given back once, however often they are disposed of', async () => {
    const [semaphore, order] = [new Semaphore(1), [] as string[]]
    const cancellation = new AbortController()
    const first = await ask(semaphore, order, 'a')
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    await ask(semaphore, order, 'b')
    const third = ask(semaphore, order, 'c', cancellation.signal)
    cancellation.abort(new Error('cancelled'))

    expect(await rejectionOf(third)).toEqual(new Error('cancelled'))
    expect(order).toEqual(['a', 'b', 'not c'])
  })

  it('pass over who has left', async () => {
    const [semaphore, order] = [new Semaphore(1), [] as string[]]
    const cancellation = new AbortController()
    const first = await ask(semaphore, order, 'a')
    const second = ask(semaphore, order, 'b', cancellation.signal)
    const third = ask(semaphore, order, 'c')
    cancellation.abort(new Error('cancelled'))
    await rejectionOf(second)
    first[Symbol.dispose]()
    await third

    expect(order).toEqual(['a', 'not b', 'c'])
  })

  it('are not given to whose signal has aborted, though one is free', async () => {
    const [semaphore, order] = [new Semaphore(1), [] as string[]]
    await rejectionOf(ask(semaphore, order, 'a', AbortSignal.abort()))
    await ask(semaphore, order, 'b')

    expect(order).toEqual(['not a', 'b'])
  })

  it('leave no listener at a signal that many wait with', async () => {
    const semaphore = new Semaphore(1)
    const { signal } = new AbortController()
    const first = await semaphore.acquire(signal)
    const second = semaphore.acquire(signal)
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    first[Symbol.dispose]()
    await second

    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('are given back by work that fails', async () => {
    const [semaphore, order] = [new Semaphore(1), [] as string[]]
    const defect = new Error('a defect')
    const failing = semaphore.within(neverAborts, () => Promise.reject(defect))

    expect(await rejectionOf(failing)).toBe(defect)
    await ask(semaphore, order, 'a')
    expect(order).toEqual(['a'])
  })
})
