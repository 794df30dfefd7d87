/**
 * Prints and returns what must take effect nowhere: runner commands, terminal codes, broken text,
 * Markdown and HTML. Seed: `{ "lineBytes": 10000000 }` for the length of its longest line, `fail`.
 */
import process from 'node:process'
import type { Automation } from '../service/automation.ts'

const commands = [
  '::error::forged by the log',
  '  ::warning file=README.md,line=1::forged after white space',
  '##[error]forged at the start',
  'in the middle ##[error]of a line, ##[add-mask]and again',
  '::stop-commands::endless',
  '::endless::',
  '::add-mask::a',
  '::group::never closed',
  '::endgroup::',
  '::set-output name=conclusion::forged',
  '::debug::forged',
]

const markup = [
  '\u001b[31mred\u001b[0m \u001b]0;a title\u0007 \u001b[2J\u001b[1;1H',
  'overwritten\rby a carriage return',
  'carriage return::\r::error::after a carriage return',
  '``` \n````` \n~~~\n</details></table><script>alert(1)</script>',
  '| a | b |\n|---|---|\n<img src="https://example.invalid/pixel.png" onerror="alert(1)">',
  '[click](javascript:alert(1)) ![image](https://example.invalid/x.png) @everyone #1',
  '\u202etfel ot thgir\u202c עברית \t tab \u{1f600} \u2028 line separator \u2029',
  '$(touch forged) `touch forged` %0A::error::forged %25 ../../etc/passwd',
]

const brokenBytes = Buffer.from([0x6e, 0x75, 0x6c, 0x00, 0x20, 0xff, 0xfe, 0xc3, 0x28, 0x80, 0x0a])

interface Seed {
  lineBytes?: number
  fail?: boolean
}

const hostileLog: Automation<Seed> = ({ lineBytes = 1_000_000, fail = false }) => {
  const texts = [...commands, ...markup]
  for (const text of texts) console.log(text)
  for (const text of commands) console.error(text)
  process.stdout.write(brokenBytes)
  process.stdout.write(`${'long '.repeat(lineBytes / 5)}##[error]at its end\n`)
  if (fail) throw new Error('::error::forged by the exception\n##[error]and its second line')
  return texts.join('\n')
}

export default hostileLog
