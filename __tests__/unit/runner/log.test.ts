import { describe, expect, it } from '@jest/globals'
import { createLog, type Console, type Log } from '../../../src/runner/log.ts'
import { noticeOf } from '../../../src/messages/notice.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { troubleshootingPage } from '../../../src/version.ts'

const failed = (why: string, title = 'daily_report failed') =>
  noticeOf({ name: 'error', title }, [why], 'fix it.')

/** Records the calls of the toolkit that print. */
class Recorder implements Console {
  readonly printed: string[] = []
  readonly info = (text: string) => this.#add(text)
  readonly debug = (text: string) => this.#add(`debug: ${text}`)
  readonly notice = (...texts: unknown[]) => this.#add(`notice: ${JSON.stringify(texts)}`)
  readonly warning = (...texts: unknown[]) => this.#add(`warning: ${JSON.stringify(texts)}`)
  readonly error = (...texts: unknown[]) => this.#add(`error: ${JSON.stringify(texts)}`)
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

function record(): { log: Log; printed: string[] } {
  const secrets = new Secrets(() => undefined)
  secrets.add('s3cr3t')
  const console = new Recorder()
  return { log: createLog(console, secrets, true), printed: console.printed }
}

/** Returns a log, and the texts of its annotations as the toolkit gets them. */
function recordAnnotations(hidden: readonly string[] = []): { log: Log; texts: string[] } {
  const texts: string[] = []
  const secrets = new Secrets(() => undefined)
  for (const secret of hidden) secrets.add(secret)
  const add = (text: string | Error) => void texts.push(String(text))
  const console = Object.assign(new Recorder(), { notice: add, warning: add, error: add })
  return { log: createLog(console, secrets, true), texts }
}

describe('the log', () => {
  it('has coloured titles and a coloured verdict', () => {
    const { log, printed } = record()
    log.title('Start')
    log.info('  plain')
    log.verdict('done', true)
    log.verdict('failed', false)

    expect(printed).toEqual([
      '\n\u001b[1;36m▶ Start\u001b[0m',
      '  plain',
      '\n\u001b[1;32m✓ done\u001b[0m',
      '\n\u001b[1;31m✗ failed\u001b[0m',
    ])
  })

  it('writes one error annotation with its title', () => {
    const { log, printed } = record()
    log.failure(failed('why'))

    const text = String.raw`why\nNext: fix it.\nHelp: ${troubleshootingPage}#failed`
    expect(printed).toEqual([`error: ["${text}",{"title":"daily_report failed"}]`])
  })

  it.each<[keyof Log, (log: Log, text: string) => void]>([
    ['title', (log, text) => log.title(text)],
    ['info', (log, text) => log.info(text)],
    ['verdict', (log, text) => log.verdict(text, false)],
    ['debug', (log, text) => log.debug(text)],
    ['note', (log, text) => log.note('summary-not-written', { why: text })],
    ['failure', (log, text) => log.failure(failed(text, text))],
    ['untrustedBlock', (log, text) => log.untrustedBlock(text, text)],
  ])(
    '%s prints neither secrets, even split by a colour, nor control characters',
    (_name, print) => {
      const { log, printed } = record()
      print(log, 's3cr3t and s3c\u001b[31mr3t\0')

      // These colour codes belong to the log itself.
      const ours = ['\u001b[1;36m', '\u001b[1;31m', '\u001b[0m']
      const text = ours.reduce((rest, code) => rest.replaceAll(code, ''), printed.join('\n'))
      expect(text).toContain('*** and ***')
      expect(text).not.toMatch(/s3c|r3t|\p{Cc}(?<!\n)/u)
    },
  )

  it.each(['::error::x', '  ::error::x', 'a\n::error::x', 'a\r::error::x', 'a ##[error]x'])(
    'makes foreign texts in our lines harmless: %j',
    (text) => {
      const { log, printed } = record()
      log.info(text)

      expect(printed.join('\n')).not.toMatch(/^\s*::|##\[|\r/m)
    },
  )

  it.each([true, false])('prints debug lines if the runner shows them: %s', (debugging) => {
    const console = new Recorder()
    const log = createLog(console, new Secrets(() => undefined), debugging)
    log.debug('a detail')

    expect(console.printed).toEqual(debugging ? ['debug: a detail'] : [])
  })

  it('cuts the middle out of a long line, so that our words around a text stay', () => {
    const { log, printed } = record()
    log.info(`Not accepted (${'x'.repeat(100_000)}). Next try in 5 s.`)

    expect(printed[0]).toHaveLength(2_000)
    expect(printed[0]).toMatch(/^Not accepted \(x+…x+\)\. Next try in 5 s\.$/)
  })
})

describe('a warning ends with the address of its entry', () => {
  it('below its text, which is one line', () => {
    const { log, texts } = recordAnnotations()
    log.note('summary-not-written', { why: 'a\nb\r\nc' })

    expect(texts[0]?.split('\n')).toEqual([
      'The job summary was not written: a b c',
      `Help: ${troubleshootingPage}#the-job-summary-was-not-written`,
    ])
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
      // The log's viewer obeys `##[error]` even if the runner does not.
      ' │ one\n │ ::error::two\n │ # #[error]three\n │',
      `::${token}::`,
      'end of group',
    ])
    expect(token).toMatch(/^[\da-f-]{36}$/)
  })

  it('has a new token each time', () => {
    const { log, printed } = record()
    log.untrustedBlock('one', '')
    log.untrustedBlock('two', '')

    expect(printed[1]).not.toBe(printed[6])
  })

  it('switches commands on again when printing fails', () => {
    const console = new Recorder((text) => text === ' │ x')
    const log = createLog(console, new Secrets(() => undefined), true)

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
