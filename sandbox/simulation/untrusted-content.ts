/** Draws untrusted results, logs and messages. Some contain attacks. */
import type { SeededRandom } from './seeded-random.ts'
import type { Secret } from './secrets.ts'

const untrustedLines = [
  '::error::forged',
  '  ::set-output name=conclusion::success',
  'in the middle ##[error]of a line',
  '::stop-commands::endless',
  '::endless::',
  '::endgroup::',
  '::add-mask::a',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b[2J',
  'over\rwritten\r::error::after a carriage return',
  '</details><script>alert(1)</script> ``` | a | b |',
  '\u202etfel ot thgir \u2028::error::line separator',
  'Traceback (most recent call last):',
  '  File "/srv/app/daily.py", line 12, in main',
  'ValueError: ::error::no rows for ##[group]today',
  'an ordinary line',
  '',
]

export function untrustedMessage(random: SeededRandom): string {
  return random.chance(0.5) ? 'Automation started' : `${random.pick(untrustedLines)}\n::error::more`
}

export function untrustedLog(random: SeededRandom, secrets: readonly Secret[]): Buffer {
  const printed = Array.from({ length: random.whole(0, 30) }, () => random.pick(untrustedLines))
  // Some automations print their inputs, which include the secrets.
  const given = secrets.map(({ value }) => value)
  if (random.chance(0.1)) printed.push(...given)
  if (random.chance(0.02)) printed.push(`${given.join(' ')} `.repeat(random.whole(900, 1100)))
  const bytes = Buffer.from(printed.join(random.pick(['\n', '\r\n', '\r'])))
  return random.chance(0.2) ? Buffer.concat([bytes, brokenBytes]) : bytes
}

const brokenBytes = Buffer.from([0x00, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x0a, 0x1b, 0x5b])

export interface Content {
  mediaType: string
  bytes: Buffer
}

export function untrustedResult(random: SeededRandom, secrets: readonly Secret[]): Content {
  const kind = random.pick(['rows', 'object', 'text', 'binary', 'empty', 'large', 'secret'])
  const row = () => ({ name: random.pick(untrustedLines), count: random.whole(0, 99) })
  switch (kind) {
    case 'rows':
      return json(Array.from({ length: random.whole(0, 60) }, row))
    case 'object':
      return json({ ...row(), nested: [row(), null], big: '1e400' })
    case 'text':
      return { mediaType: 'text/plain; charset=utf-8', bytes: untrustedLog(random, secrets) }
    case 'binary':
      return { mediaType: 'image/png', bytes: brokenBytes }
    case 'empty':
      return { mediaType: '', bytes: Buffer.alloc(0) }
    case 'large':
      return {
        mediaType: 'text/csv',
        bytes: Buffer.alloc(random.pick([1, 70, 300]) * 1024, 'a,b\n'),
      }
    case 'secret':
      return json({ given: secrets.map(({ value }) => value) })
  }
}

function json(value: unknown): Content {
  return { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) }
}
