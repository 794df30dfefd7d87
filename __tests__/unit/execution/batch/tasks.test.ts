import { describe, expect, it } from '@jest/globals'
import { Tasks } from '../../../../src/execution/batch/tasks.ts'
import { rejectionOf } from '../../../support/rejection.ts'

const nothing = () => undefined

describe('tasks', () => {
  it('are settled when those are over, too, that others have started', async () => {
    const [tasks, done] = [new Tasks(nothing), [] as string[]]
    const gates = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const
    tasks.start(async () => {
      await gates[0].promise
      tasks.start(() => gates[1].promise.then(() => void done.push('second')))
      done.push('first')
    })
    const settled = tasks.settled().then(() => done.push('settled'))
    gates[0].resolve(undefined)
    gates[1].resolve(undefined)
    await settled

    expect(done).toEqual(['first', 'second', 'settled'])
  })

  it('are settled at once where none was started', async () => {
    await expect(new Tasks(nothing).settled()).resolves.toBeUndefined()
  })

  it('fail with the first failure, told at once, when all are over', async () => {
    const told: string[] = []
    const tasks = new Tasks(() => void told.push('failure'))
    const gate = Promise.withResolvers<undefined>()
    tasks.start(() => gate.promise.then(() => void told.push('over')))
    tasks.start(() => Promise.reject(new Error('the first')))
    tasks.start(() => Promise.reject(new Error('the second')))
    const failure = rejectionOf(tasks.settled())
    await new Promise(setImmediate)
    gate.resolve(undefined)

    expect(await failure).toEqual(new Error('the first'))
    expect(told).toEqual(['failure', 'failure', 'over'])
  })
})
