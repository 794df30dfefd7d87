import { describe, expect, it } from '@jest/globals'
import { Recorder } from '../../../src/actions/recorder.ts'
import type { OnRerun } from '../../../src/runner/inputs/again.ts'
import type { Found } from '../../../src/runner/memory/memory.ts'
import { keyOf } from '../../../src/runner/memory/record.ts'
import type { EarlierExecution } from '../../../src/runner/memory/record.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { finished, running } from '../../support/execution-status.ts'

interface Given {
  attempt?: number
  onRerun?: OnRerun
  found?: Found
}

const ended = { ending: { kind: 'finished', outcome: 'success', status: finished } } as const
const timedOut = {
  ending: { kind: 'timed-out', status: running, failure: undefined, failedChecks: 0 },
} as const

function open({ attempt = 1, onRerun = 'resume', found = { kind: 'nothing' } }: Given = {}) {
  const clock = new SimulatedClock({ longestJump: 0 })
  const records: EarlierExecution[] = []
  const memory = {
    find: () => Promise.resolve(found),
    remember: (record: EarlierExecution) => Promise.resolve(void records.push(record)),
    close: () => Promise.resolve(),
  }
  const openMemory = () => Promise.resolve(memory)
  let prepared = 0
  const prepare = () => void (prepared += 1)
  const recorder = new Recorder({ openMemory, prepare, attempt, onRerun, clock })
  const keys = () => records.map((it) => keyOf('', it)?.replace(/[0-9a-f]{4,}/, 'id'))
  return {
    recorder,
    clock,
    keys,
    prepared: () => prepared,
    close: () => recorder[Symbol.asyncDispose](),
  }
}

const earlier = { kind: 'started', attempt: 1, executionId: 'exec-1' } as const

describe('a first run', () => {
  it('has nothing made ready for it before it was started', () => {
    const { recorder, prepared } = open()
    expect(prepared()).toBe(0)
    recorder.started('exec-1')
    expect(prepared()).toBe(1)
  })

  it('is saved once it is 20 s old, and not before', async () => {
    const { recorder, clock, keys } = open()
    recorder.started('exec-1')
    await clock.advance(19_999)
    expect(keys()).toEqual([])
    await clock.advance(1)
    expect(keys()).toEqual(['1-id'])
  })

  it('that ends before and is told leaves nothing, and no timer', async () => {
    const { recorder, clock, keys, close } = open()
    recorder.started('exec-1')
    recorder.ended({ ...ended, executionId: 'exec-1' })
    await clock.advance(60_000)
    recorder.told('success')
    await close()
    expect([keys(), clock.sleeping]).toEqual([[], 0])
  })

  it('that was saved has its end saved too', async () => {
    const { recorder, clock, keys, close } = open()
    recorder.started('exec-1')
    await clock.advance(20_000)
    recorder.ended({ ...ended, executionId: 'exec-1' })
    recorder.told('success')
    await close()
    expect(keys()).toEqual(['1-id', '1-id-told-success'])
  })

  it('is saved when the step ends without having told an end', async () => {
    const { recorder, keys, close } = open()
    recorder.started('exec-1')
    recorder.ended({ ...ended, executionId: 'exec-1' })
    await close()
    expect(keys()).toEqual(['1-id'])
  })

  it('is saved at once where no end was seen, and once only', async () => {
    const { recorder, keys, close } = open()
    recorder.started('exec-1')
    recorder.ended({ ...timedOut, executionId: 'exec-1' })
    await Promise.resolve()
    expect(keys()).toEqual(['1-id'])
    await close()
    expect(keys()).toEqual(['1-id'])
  })

  it('that may have been accepted is saved as that alone', async () => {
    const { recorder, keys, close } = open()
    const ending = { kind: 'unknown-start', status: undefined, failure: undefined } as const
    recorder.ended({ ending, executionId: undefined })
    await close()
    expect(keys()).toEqual(['1-unknown'])
  })

  it('has its success saved with on-rerun: reuse, however short it was, and no failure', async () => {
    for (const [outcome, expected] of [
      ['success', ['1-id-told-success']],
      ['error', []],
    ] as const) {
      const { recorder, keys, close } = open({ onRerun: 'reuse' })
      recorder.started('exec-1')
      recorder.told(outcome)
      await close()
      expect(keys()).toEqual(expected)
    }
  })
})

describe('a record that was found', () => {
  it.each([2, 3])('of attempt %d is of another step, in attempt 2', async (attempt) => {
    const record = { ...earlier, attempt }
    const { recorder } = open({ attempt: 2, found: { kind: 'found', record } })
    expect(await recorder.find()).toMatchObject({
      kind: 'unreadable',
      why: expect.stringContaining('rerun-key'),
    })
  })
})

it('a record of an earlier attempt is this step’s', async () => {
  const found = { kind: 'found', record: earlier } as const
  expect(await open({ attempt: 2, found }).recorder.find()).toEqual(found)
})

describe('a second run under one identity', () => {
  it('is saved at once: a retry', async () => {
    const { recorder, clock, keys, close } = open()
    recorder.started('exec-1')
    await clock.advance(20_000)
    recorder.started('exec-2')
    await clock.advance(0)
    expect(keys()).toEqual(['1-id', '1-id'])
    recorder.told('error')
    await close()
    expect([keys(), clock.sleeping]).toEqual([['1-id', '1-id', '1-id-told-error'], 0])
  })

  it.each<[string, Found]>([
    ['a record was found', { kind: 'found', record: earlier }],
    ['the memory could not be read', { kind: 'unreadable', why: 'it hangs' }],
  ])('is saved at once: %s', async (_, found) => {
    const { recorder, clock, keys } = open({ attempt: 2, found })
    await recorder.find()
    recorder.started('exec-2')
    await clock.advance(0)
    expect(keys()).toEqual(['2-id'])
  })

  it('is saved at once where nobody asked for a record: there may be one', async () => {
    const { recorder, clock, keys } = open({ attempt: 2 })
    recorder.started('exec-2')
    await clock.advance(0)
    expect(keys()).toEqual(['2-id'])
  })

  it('is none where nothing was found', async () => {
    const { recorder, clock, keys } = open({ attempt: 2 })
    await recorder.find()
    recorder.started('exec-2')
    await clock.advance(19_000)
    expect(keys()).toEqual([])
  })

  it('whose start is unknown is what a later attempt finds, not the one before', async () => {
    const { recorder, keys, close } = open()
    recorder.started('exec-1')
    recorder.startedUnknown()
    await close()
    expect(keys()).toEqual(['1-unknown'])
  })
})

describe('a run that was taken over', () => {
  it('is not saved again; its end is, under the attempt that started it', async () => {
    const { recorder, keys, close } = open({ attempt: 3 })
    recorder.takeOver(earlier)
    recorder.ended({ ...timedOut, executionId: 'exec-1' })
    expect(keys()).toEqual([])
    recorder.told('success')
    await close()
    expect(keys()).toEqual(['1-id-told-success'])
  })

  it('whose end was told before is not told to be so again', async () => {
    const { recorder, keys, close } = open({ attempt: 2, onRerun: 'reuse' })
    recorder.takeOver({ ...earlier, kind: 'told', conclusion: 'success' })
    recorder.told('success')
    await close()
    expect(keys()).toEqual([])
  })
})
