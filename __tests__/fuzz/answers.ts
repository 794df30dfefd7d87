/** Random answers of a service or a store: right ones, odd ones and broken ones. */
import fc from 'fast-check'
import { encodings, type WireAnswer } from '../support/wire-answer.ts'

const status = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(200, 202) },
  { weight: 2, arbitrary: fc.integer({ min: 100, max: 599 }) },
  { weight: 2, arbitrary: fc.constantFrom(101, 204, 206, 302, 304, 308, 401, 404, 416, 429, 503) },
)

const interim: fc.Arbitrary<number[]> = fc.oneof(
  { weight: 12, arbitrary: fc.constant<number[]>([]) },
  {
    weight: 2,
    arbitrary: fc.array(fc.constantFrom<number[]>(100, 102, 103), { minLength: 1, maxLength: 4 }),
  },
  { weight: 1, arbitrary: fc.constant<number[]>([101]) },
)

const header = fc.constantFrom<[string, string]>(
  ['retry-after', '0'],
  ['retry-after', '5'],
  ['retry-after', '86400'],
  ['retry-after', 'soon'],
  ['location', '/login'],
  ['location', 'http://127.0.0.1:1/x'],
  ['location', '::'],
  ['content-type', 'application/json'],
  ['content-type', 'text/html; charset=utf-8'],
  ['content-type', 'Ünsinn'],
  ['etag', '"v2"'],
  ['etag', 'W/"v1"'],
  ['content-range', 'bytes 3-9/10'],
  ['connection', 'upgrade'],
  ['upgrade', 'h2c'],
  ['trailer', 'x-end'],
  ['transfer-encoding', 'gzip'],
  ['set-cookie', 'a=b'],
  ['x-long', 'x'.repeat(20_000)],
  ['x-mark', '::error::%0A##[error]'],
)

const framing = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<WireAnswer['framing']>('length', 'chunked', 'close') },
  { weight: 1, arbitrary: fc.constantFrom<WireAnswer['framing']>('short length', 'long length') },
)

const label = fc.oneof(
  { weight: 10, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.constantFrom('utf-8', 'aws-chunked', 'identity', 'x-new', 'gzip, x') },
  { weight: 1, arbitrary: fc.constantFrom('gzip', 'deflate', 'br', 'zstd') },
)

/** An answer with one of these bodies, or with none that anybody expects. */
export function answerWith(...bodies: string[]): fc.Arbitrary<WireAnswer> {
  return fc.record({
    status,
    interim,
    headers: fc.array(header, { maxLength: 2 }),
    body: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...bodies) },
      { weight: 2, arbitrary: fc.constantFrom(...oddBodies) },
    ),
    encoding: fc.option(fc.constantFrom(...encodings), { nil: undefined, freq: 3 }),
    label,
    framing,
    cut: fc.oneof(
      { weight: 5, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 400 }) },
    ),
    then: fc.oneof(
      { weight: 20, arbitrary: fc.constant<WireAnswer['then']>('end') },
      { weight: 4, arbitrary: fc.constant<WireAnswer['then']>('reset') },
      { weight: 1, arbitrary: fc.constant<WireAnswer['then']>('hold') },
    ),
  })
}

const oddBodies = [
  '',
  'null',
  '[]',
  '{"finished":true}',
  '{"message":"no","error":["x"],"detail":{"a":1}}',
  '<!doctype html><html><title>Sign in</title></html>',
  '[['.repeat(50_000),
  `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  '\u0000\u001b[31m::error::x\n##[error]y',
]

/** Headers that make an answer's meaning a matter of taste: nobody need take it for a right one. */
export function isDubious({ headers, framing, then }: WireAnswer): boolean {
  const names = headers.map(([name]) => name)
  const meddling = ['connection', 'upgrade', 'transfer-encoding', 'x-long']
  return (
    names.some((name) => meddling.includes(name)) ||
    // What follows the declared end, and a reset, may come before the answer has been read.
    framing === 'short length' ||
    then === 'reset'
  )
}
