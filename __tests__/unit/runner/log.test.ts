import { describe, expect, it } from '@jest/globals'
import { createLog, type Console, type Log } from '../../../src/runner/log.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'

/** What a step prints, as the toolkit is asked to print it. */
class Recorder implements Console {
  readonly printed: string[] = []
  readonly info = (text: string) => this.#add(text)
  readonly debug = (text: string) => this.#add(`debug: ${text}`)
  readonly notice = (...told: unknown[]) => this.#add(`notice: ${JSON.stringify(told)}`)
  readonly warning = (...told: unknown[]) => this.#add(`warning: ${JSON.stringify(told)}`)
  readonly error = (...told: unknown[]) => this.#add(`error: ${JSON.stringify(told)}`)
  readonly startGroup = (name: string) => this.#add(`group: ${name}`)
  readonly endGroup = () => this.#add('end of group')

  readonly #fails: (text: string) => boolean

  constructor(fails: (text: string) => boolean = () => false) {
    this.#fails = fails
  }

  #add(text: string): void {
    if (this.#fails(text)) throw new Error('closed pipe')
    this.printed.push(text)
  }
}

function record(colour = false): { log: Log; printed: string[] } {
  const secrets = new Secrets(() => undefined)
  secrets.add('s3cr3t')
  const console = new Recorder()
  return { log: createLog(console, secrets, { colour }), printed: console.printed }
}

describe('the log', () => {
  it('has phases with titles, and a last word', () => {
    const { log, printed } = record()
    log.title('Start')
    log.info('  word-report of demo')
    log.verdict('word-report succeeded', true)
    log.verdict('word-report failed', false)

    expect(printed).toEqual([
      '\n▶ Start',
      '  word-report of demo',
      '\n✓ word-report succeeded',
      '\n✗ word-report failed',
    ])
  })

  it('colours titles and last words only', () => {
    const { log, printed } = record(true)
    log.title('Start')
    log.info('plain')
    log.verdict('done', true)
    log.verdict('failed', false)

    expect(printed).toEqual([
      '\n\u001b[1;36m▶ Start\u001b[0m',
      'plain',
      '\n\u001b[1;32m✓ done\u001b[0m',
      '\n\u001b[1;31m✗ failed\u001b[0m',
    ])
  })

  it('writes one error annotation with its title, file and line', () => {
    const { log, printed } = record()
    log.failure({ title: 'daily_report failed', message: 'why\nwhat', file: 'a.py', line: 3 })
    log.failure({ title: 'daily_report failed', message: 'why' })

    expect(printed).toEqual([
      'error: ["why\\nwhat",{"title":"daily_report failed","file":"a.py","startLine":3}]',
      'error: ["why",{"title":"daily_report failed"}]',
    ])
  })

  it.each<[keyof Log, (log: Log, text: string) => void]>([
    ['title', (log, text) => log.title(text)],
    ['info', (log, text) => log.info(text)],
    ['verdict', (log, text) => log.verdict(text, false)],
    ['debug', (log, text) => log.debug(text)],
    ['note', (log, text) => log.note('summary-not-written', { why: text })],
    ['failure', (log, text) => log.failure({ title: text, message: text })],
    ['untrustedBlock', (log, text) => log.untrustedBlock(text, text)],
  ])(
    '%s prints neither secrets, even split by a colour, nor control characters',
    (_name, print) => {
      const { log, printed } = record()
      print(log, 's3cr3t and s3c\u001b[31mr3t\0')

      expect(printed.join('\n')).toContain('*** and ***')
      expect(printed.join('\n')).not.toMatch(/s3c|r3t|\p{Cc}(?<!\n)/u)
    },
  )

  it.each(['::error::x', '  ::error::x', 'a\n::error::x', 'a\r::error::x', 'a ##[error]x'])(
    'obeys no foreign words in a line of ours: %j',
    (text) => {
      const { log, printed } = record()
      log.info(text)

      expect(printed.join('\n')).not.toMatch(/^\s*::|##\[|\r/m)
    },
  )

  it('cuts a line of 8,000 characters and an annotation of 4,096', () => {
    const { log, printed } = record()
    log.info('x'.repeat(100_000))
    log.failure({ title: 't', message: 'x'.repeat(100_000) })

    expect(printed[0]).toHaveLength(8_000)
    expect(printed[1]).toContain(`${'x'.repeat(4_095)}…"`)
  })
})

describe('a foreign block', () => {
  it('is folded, and printed while commands are switched off', () => {
    const { log, printed } = record()
    log.untrustedBlock('The log', 'one\r\n::error::two\n##[error]three\n')
    const [, stop = ''] = printed
    const token = stop.replace('::stop-commands::', '')

    expect(printed).toEqual([
      'group: The log',
      `::stop-commands::${token}`,
      // The log's viewer would draw `##[error]` even where the runner obeys nothing.
      ' │ one\n │ ::error::two\n │ # #[error]three\n │',
      `::${token}::`,
      'end of group',
    ])
    expect(token).toMatch(/^[\da-f-]{36}$/)
  })

  it('has a token of its own each time', () => {
    const { log, printed } = record()
    log.untrustedBlock('one', '')
    log.untrustedBlock('two', '')

    expect(printed[1]).not.toBe(printed[6])
  })

  it('switches commands on again when printing fails', () => {
    const console = new Recorder((text) => text === ' │ x')
    const log = createLog(console, new Secrets(() => undefined))

    expect(() => log.untrustedBlock('block', 'x')).toThrow('closed pipe')
    expect(console.printed.slice(-2)).toEqual([
      expect.stringMatching(/^::[\da-f-]{36}::$/),
      'end of group',
    ])
  })

  it('shows the last MiB of a long text, in whole lines', () => {
    const { log, printed } = record()
    log.untrustedBlock('The log', 'äöü 0123456789\n'.repeat(200_000))
    const [first, second] = printed[2]?.split('\n') ?? []

    expect([first, second]).toEqual([' │ …', ' │ äöü 0123456789'])
    expect(Buffer.byteLength(printed[2] ?? '')).toBeLessThanOrEqual(1024 * 1024 + 9)
  })

  it('shows the end of a single line that is too long, without half a character', () => {
    const { log, printed } = record()
    log.untrustedBlock('The log', `${'€'.repeat(1_000_000)}!`)

    expect(printed[2]).toMatch(/^ │ …\n │ €+!$/)
  })
})
