import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { ClientCalls, readClientLine } from '../../../../src/runner/storage/client-calls.ts'

describe('the output of a client', () => {
  it('goes to the client’s own call, if several are running', async () => {
    const stream = new PassThrough()
    const calls = new ClientCalls([stream])
    const taken: Record<string, string[]> = { one: [], other: [] }
    const print = (name: string) =>
      calls.run(
        (line) => taken[name]?.push(line),
        async () => {
          for (const number of [1, 2, 3]) {
            stream.write(`${name} ${String(number)}\n`)
            await turn()
          }
        },
      )
    await Promise.all([print('one'), print('other')])
    expect(taken).toEqual({
      one: ['one 1', 'one 2', 'one 3'],
      other: ['other 1', 'other 2', 'other 3'],
    })
  })

  it('is not printed, unlike the output of the listener', async () => {
    const stream = new PassThrough()
    const calls = new ClientCalls([stream])
    stream.write('before\n')
    await calls.run(
      (line) => stream.write(`debug: ${line}\n`),
      () => Promise.resolve(stream.write('within\n')),
    )
    stream.end('after\n')
    expect(await text(stream)).toBe('before\ndebug: within\nafter\n')
  })

  it('is joined to lines, even without an end of the last line', async () => {
    const stream = new PassThrough()
    const calls = new ClientCalls([stream])
    const taken: string[] = []
    const [first, second] = [Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]
    await calls.run(
      (line) => taken.push(line),
      async () => {
        for (const piece of ['a', 'b\r\nc', first, second, '\nno end']) stream.write(piece)
        await new Promise<void>((resolve) => stream.write('.', () => resolve()))
      },
    )
    expect(taken).toEqual(['ab', 'cé', 'no end.'])
  })

  it.each([
    ['::warning::50%25 of it%0Ais gone', { command: 'warning', text: '50% of it\nis gone' }],
    ['::error file=a.ts,line=1::broken', { command: 'error', text: 'broken' }],
    ['::debug::%250A', { command: 'debug', text: '%0A' }],
    ['Cache saved successfully', { command: 'info', text: 'Cache saved successfully' }],
  ])('is parsed: %s', (line, expected) => {
    expect(readClientLine(line)).toEqual(expected)
  })
})

describe('an error that nobody catches', () => {
  it('ends only the call that it comes from', async () => {
    const calls = new ClientCalls([])
    const { promise: over, resolve: end } = Promise.withResolvers<string>()
    const broken = calls.run(
      () => undefined,
      () => new Promise<never>(() => void setImmediate(() => calls.fail(new Error('torn')))),
    )
    const other = calls.run(
      () => undefined,
      () => over,
    )
    expect(await broken).toMatchObject({ error: new Error('torn') })
    end('done')
    expect(await other).toMatchObject({ value: 'done' })
  })

  it('belongs to no call if it comes from elsewhere', () => {
    expect(new ClientCalls([]).fail(new Error('of the step'))).toBe(false)
  })
})
