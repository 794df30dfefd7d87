/** Texts by strangers, and bytes that are none. */
import type { Dice } from './dice.ts'
import type { Secret } from './secrets.ts'

const linesOfStrangers = [
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

/** One line; the text of a message. */
export function strangeWords(dice: Dice): string {
  return dice.chance(0.5) ? 'Automation started' : `${dice.pick(linesOfStrangers)}\n::error::more`
}

export function strangeLog(dice: Dice, secrets: readonly Secret[]): Buffer {
  const told = Array.from({ length: dice.whole(0, 30) }, () => dice.pick(linesOfStrangers))
  // Some automations print what they were given.
  const said = secrets.map(({ value }) => value)
  if (dice.chance(0.1)) told.push(...said)
  if (dice.chance(0.02)) told.push(`${said.join(' ')} `.repeat(dice.whole(900, 1100)))
  const bytes = Buffer.from(told.join(dice.pick(['\n', '\r\n', '\r'])))
  return dice.chance(0.2) ? Buffer.concat([bytes, brokenBytes]) : bytes
}

const brokenBytes = Buffer.from([0x00, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x0a, 0x1b, 0x5b])

export interface Content {
  mediaType: string
  bytes: Buffer
}

export function strangeResult(dice: Dice, secrets: readonly Secret[]): Content {
  const kind = dice.pick(['rows', 'object', 'text', 'binary', 'empty', 'large', 'secret'])
  const row = () => ({ name: dice.pick(linesOfStrangers), count: dice.whole(0, 99) })
  switch (kind) {
    case 'rows':
      return json(Array.from({ length: dice.whole(0, 60) }, row))
    case 'object':
      return json({ ...row(), nested: [row(), null], big: '1e400' })
    case 'text':
      return { mediaType: 'text/plain; charset=utf-8', bytes: strangeLog(dice, secrets) }
    case 'binary':
      return { mediaType: 'image/png', bytes: brokenBytes }
    case 'empty':
      return { mediaType: '', bytes: Buffer.alloc(0) }
    case 'large':
      return { mediaType: 'text/csv', bytes: Buffer.alloc(dice.pick([1, 70, 300]) * 1024, 'a,b\n') }
    case 'secret':
      return json({ said: secrets.map(({ value }) => value) })
  }
}

function json(value: unknown): Content {
  return { mediaType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) }
}
