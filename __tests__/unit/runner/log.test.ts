import { describe, expect, it } from '@jest/globals'
import { createLog, type Console, type Log } from '../../../src/runner/log.ts'
import { noticeOf } from '../../../src/messages/notice.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'

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

describe('the log', () => {
  it.each<[keyof Log, (log: Log, text: string) => void]>([
    ['title', (log, text) => log.title(text)],
    ['info', (log, text) => log.info(text)],
    ['verdict', (log, text) => log.verdict(text, false)],
    ['debug', (log, text) => log.debug(text)],
    ['note', (log, text) => log.note('summary-not-written', { why: text })],
    ['failure', (log, text) => log.failure(failed(text, text), undefined)],
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

  it('cuts the middle out of a long line, so that our words around a text stay', () => {
    const { log, printed } = record()
    log.info(`Not accepted (${'x'.repeat(100_000)}). Next try in 5 s.`)

    expect(printed[0]).toHaveLength(2_000)
    expect(printed[0]).toMatch(/^Not accepted \(x+…x+\)\. Next try in 5 s\.$/)
  })
})

describe('a foreign block', () => {
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
