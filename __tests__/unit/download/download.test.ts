import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { download, type DownloadEvent } from '../../../src/download/download.ts'
import type { Opened, Store } from '../../../src/download/store.ts'
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { downloadStep } from '../../support/download-run.ts'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

// Milliseconds. Longer than any pause between two tries. The clock must not jump further while a
// real disk is busy.
const maxJump = 10_000

type Answer = Pick<Opened, 'status' | 'headers' | 'body'> | Error

/** A store with scripted answers. The last answer repeats. */
class ScriptedStore implements Store {
  readonly askedAt: number[] = []
  closed = 0
  readonly #answers: Answer[]
  readonly #clock: SimulatedClock

  constructor(clock: SimulatedClock, answers: Answer[]) {
    this.#clock = clock
    this.#answers = answers
  }

  open(): Promise<Opened> {
    this.askedAt.push(this.#clock.elapsed)
    const answer = this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0]
    if (!answer) throw new Error('no answer is scripted')
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve({ ...answer, close: () => this.closed++ })
  }
}

async function* bytes(...chunks: (string | Buffer)[]) {
  for (const chunk of chunks) yield await Promise.resolve(Buffer.from(chunk))
}

async function* cutAfter(text: string) {
  yield* bytes(text)
  throw new Error('aborted')
}

/** Returns an answer that can be read several times. */
const answer = (status: number, headers: object, body: () => AsyncGenerator<Buffer>): Answer => ({
  status,
  headers: { ...headers },
  get body() {
    return body()
  },
})
const refused = (status: number, headers = {}) => answer(status, headers, () => bytes(''))
const sent = (text: string | Buffer, headers = {}) => answer(200, headers, () => bytes(text))
const cutAt = (text: string) => answer(200, {}, () => cutAfter(text))

interface Given {
  folder?: string
  /** How long downloads may take, in milliseconds. */
  timeLeft?: number
  clock?: SimulatedClock
}

async function fetchFrom(
  answers: Answer[],
  { folder: given, timeLeft, clock = new SimulatedClock({ maxJump }) }: Given = {},
) {
  await using temporary = await makeTemporaryFolder()
  const folder = given ?? temporary.path
  const store = new ScriptedStore(clock, answers)
  const events: DownloadEvent[] = []
  using step = downloadStep({ store, clock, onDownload: (event) => events.push(event) }, timeLeft)
  const link = () => Promise.resolve('https://store.test/x')
  const kept = await download('result', link, folder, step.context)
  const text = kept.kind === 'file' ? await readFile(kept.path, 'utf8') : undefined
  const onDisk = given === undefined ? await readdir(folder) : []
  return { kept, text, onDisk, store, events, clock }
}

describe('a link that fails', () => {
  it('is given up with its last failure, and leaves nothing', async () => {
    const { kept, store, onDisk } = await fetchFrom([refused(403)])

    const why = 'the store answered 403'
    expect(kept).toMatchObject({ kind: 'unavailable', why, failure: { status: 403 } })
    expect([store.closed, onDisk]).toEqual([5, []])
  })

  it('gets a minute if the connection was cut', async () => {
    expect((await fetchFrom([cutAt('half')])).store.askedAt.at(-1)).toBe(65_500)
  })

  it('is replaced, and the file starts over', async () => {
    const { text, events } = await fetchFrom([cutAt('rows of an older'), refused(403), sent('new')])

    expect(text).toBe('new')
    expect(events).toEqual([
      { kind: 'retry', what: 'result', why: 'the connection was cut', pause: 500 },
      { kind: 'retry', what: 'result', why: 'the store answered 403', pause: 1_000 },
    ])
  })

  it('is replaced after the Retry-After of the store', async () => {
    const busy = refused(503, { 'retry-after': '20' })
    const clock = new SimulatedClock({ maxJump: 20_000 })
    const { text, store } = await fetchFrom([busy, sent('rows')], { clock })

    expect([text, store.askedAt]).toEqual(['rows', [0, 20_000]])
  })
})

it.each([
  [' Identity ', []],
  [' x-S3cr3t ', [{ kind: 'encoded', what: 'result', encoding: 'x-S3cr3t' }]],
])('the bytes of a file with the encoding %j stay as they are', async (encoding, events) => {
  const fetched = await fetchFrom([sent('rows', { 'content-encoding': encoding })])

  expect(fetched).toMatchObject({ text: 'rows', events })
})

async function nameOf(content: string | Buffer, type: string | undefined) {
  const { kept } = await fetchFrom([
    sent(content, type === undefined ? {} : { 'content-type': type }),
  ])
  return kept.kind === 'file' ? [kept.mediaType, path.basename(kept.path)] : []
}

it.each([
  ['application/json; charset=utf-8', 'application/json', 'json'],
  [' Text/CSV ; header=present', 'Text/CSV', 'csv'],
  ['application/vnd.hosting+xml', 'application/vnd.hosting+xml', 'xml'],
  ['text/x-csv', 'text/x-csv', 'csv'],
  ['application/csv', 'application/csv', 'csv'],
  ['application/x-ndjson', 'application/x-ndjson', 'ndjson'],
  ['application/jsonl', 'application/jsonl', 'jsonl'],
  ['application/x-jsonlines', 'application/x-jsonlines', 'jsonl'],
  ['application/vnd.apache.parquet', 'application/vnd.apache.parquet', 'parquet'],
  ['text/json', 'text/json', 'json'],
  ['image/jpg', 'image/jpg', 'jpg'],
  ['image/svg+xml', 'image/svg+xml', 'svg'],
  ['application/xjson', 'application/xjson', 'bin'],
  ['application/x-nobody-knows', 'application/x-nobody-knows', 'bin'],
  ['x/y+json/../..', 'x/y+json/../..', 'bin'],
  ['text/plain', 'text/plain', 'txt'],
])('a result of type %j has the media type %j, and is named result.%s', async (...row) => {
  const [type, mediaType, extension] = row
  expect(await nameOf('{"rows": 1}', type)).toEqual([mediaType, `result.${extension}`])
})

const long = ' '.repeat(900)
it.each<[string, string | Buffer, string]>([
  ['an object', '{"rows": 1}', 'json'],
  ['an array with white space and a byte order mark', '\ufeff\n [1, 2]\r\n', 'json'],
  ['a long text', `[${'"ü",'.repeat(9_000)}1]${long}`, 'json'],
  ['a value that is cut off', '{"rows": 1', 'bin'],
  ['a number', '42', 'bin'],
  ['a table', 'a,b\n[1],{2}', 'bin'],
  ['bytes', Buffer.from([0x7b, 0xff, 0x00, 0x7d]), 'bin'],
  ['nothing', '', 'bin'],
])(
  'a result whose type says nothing is named by its content: %s',
  async (_, content, extension) => {
    for (const type of [undefined, 'application/octet-stream', 'Binary/Octet-Stream; a=b']) {
      const mediaType = type?.split(';')[0] ?? ''
      expect(await nameOf(content, type)).toEqual([mediaType, `result.${extension}`])
    }
  },
)

it.each(['rows', ''])(
  'a file that cannot be written is given up at once, and the reason names it (%j)',
  async (text) => {
    await using folder = await makeTemporaryFolder()
    const missing = path.join(folder.path, 'missing')

    const { kept, store } = await fetchFrom([sent(text)], { folder: missing })

    const why = `${path.join(missing, 'result.part')}: no such file or directory (ENOENT)`
    expect(kept).toMatchObject({ kind: 'unavailable', why, failure: { cause: { code: 'ENOENT' } } })
    expect(store.askedAt).toHaveLength(1)
  },
)

it('a file whose limit passes is given up, even if bytes keep coming', async () => {
  const clock = new SimulatedClock({ maxJump })
  const body = async function* () {
    for (let count = 0; count < 800; count++) {
      await clock.sleep(1_000)
      yield Buffer.from('x')
    }
  }
  const endless = answer(200, {}, body)
  const { kept, onDisk } = await fetchFrom([endless], { timeLeft: 500_000, clock })

  expect(kept).toMatchObject({ kind: 'unavailable', why: 'the time of the test is over' })
  expect([clock.elapsed, onDisk]).toEqual([500_000, []])
})
