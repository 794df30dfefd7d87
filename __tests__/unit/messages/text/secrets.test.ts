import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { maskLinks, Secrets } from '../../../../src/messages/text/secrets.ts'

function keep(...values: string[]): { secrets: Secrets; masked: string[] } {
  const masked: string[] = []
  const secrets = new Secrets((value) => masked.push(value))
  secrets.add(...values)
  return { secrets, masked }
}

describe('a secret', () => {
  it.each([
    ['as it is', 's3cr3t', 'a s3cr3t and a s3cr3t', 'a *** and a ***'],
    ['as JSON spells it', 'pa"ss\\', '{"token":"pa\\"ss\\\\"}', '{"token":"***"}'],
    [
      'as JSON in JSON spells it',
      'pa"ss',
      '"{\\"token\\":\\"pa\\\\\\"ss\\"}"',
      '"{\\"token\\":\\"***\\"}"',
    ],
    ['as JSON of PHP or pandas spells it', 'a/b"c', '{"token":"a\\/b\\"c"}', '{"token":"***"}'],
    ['as such JSON in JSON spells it', 'pa/ss', 'pa\\\\/ss pa\\\\\\/ss', '*** ***'],
    ['as a URL spells it', 'pa ss/1', '?token=pa%20ss%2F1', '?token=***'],
    ['as a URL by Python in capitals', 'a*b', 'x/a%2Ab', 'x/***'],
    ['as a URL by Python, which leaves slashes', 'pa/s+s=(1)', 'x/pa/s%2Bs%3D%281%29', 'x/***'],
    ['as a URL in small letters', 'pa/s+s=', '?token=pa%2fs%2bs%3d', '?token=***'],
    ['as base64', 's3cr3t', 'Basic czNjcjN0', 'Basic ***'],
    ['without the blanks around it', ' s3cr3t ', 'key=s3cr3t;', 'key=***;'],
    [
      'in a sentence that takes off its last signs',
      's3cr3t..:',
      'It said (s3cr3t).',
      'It said (***).',
    ],
    ['by each of its lines', 'first1\r\nsecond2\n\n', 'second2, first1', '***, ***'],
    ['with colours in it', 's3cr3t', 's3c\u001b[31mr3t', '***'],
    ['with bidi controls in it', 's3cr3t', 's3c\u202er3t', '***'],
    ['with characters of no width in it', 's3cr3t', 's\u200b3\ufeffc\u00adr3t', '***'],
    ['with control characters in it', 's3cr3t', 's3\u0000c\u0007r3t', '***'],
    ['that has such characters itself', 's3c\u200br3t', 's3c\u200br3t', '***'],
  ])('is hidden %s', (_how, secret, text, shown) => {
    expect(keep(secret).secrets.show(text)).toBe(shown)
  })

  it('that is part of a longer one: the longer one is hidden whole, in either order', () => {
    expect(keep('abc', 'abcdef').secrets.show('abcdef abc')).toBe('*** ***')
    expect(keep('abcdef', 'abc').secrets.show('abcdef abc')).toBe('*** ***')
  })

  it.each([[''], [' '], ['\n\n']])('that is blank (%j) hides nothing', (blank) => {
    const { secrets, masked } = keep(blank)

    expect(masked).toEqual([])
    expect(secrets.show(' a\n\nb ')).toBe(' a\n\nb ')
  })

  it('of a megabyte is hidden', () => {
    const long = `key-${'c'.repeat(1_000_000)}`

    expect(keep(long).secrets.show(`x${long}y`)).toBe('x***y')
  })

  it('is not found in a redacted text', () => {
    const secret = fc.string({ minLength: 4 }).filter((text) => /^[^*\s]+$/.test(text))
    fc.assert(
      fc.property(fc.array(secret), fc.array(fc.string()), (values, between) => {
        const { secrets } = keep(...values)
        const shown = secrets.show(values.map((value, at) => (between[at] ?? '') + value).join(''))
        for (const value of values) expect(shown).not.toContain(value)
      }),
    )
  })
})

describe('a text that was cut within a secret', () => {
  const { secrets } = keep('s3cr3t-value')

  it('shows no half of it at its end', () => {
    expect(secrets.showBeginning(`the${' '.repeat(20)}s3cr3t-v`).trimEnd()).toBe('the')
    expect(secrets.showBeginning('s3cr3t-v')).toBe('')
  })

  it('shows no half of it at its beginning', () => {
    expect(secrets.showEnd(`r3t-value${' '.repeat(20)}end`).trimStart()).toBe('end')
    expect(secrets.showEnd('r3t-value')).toBe('')
  })

  it('is whole if nothing is hidden', () => {
    const nothing = keep().secrets
    expect([nothing.showBeginning('text'), nothing.showEnd('text')]).toEqual(['text', 'text'])
  })
})

describe('a secret in base64', () => {
  const key = 's3cr3t?>-~~key'

  it.each(['', 'u:', 'us:', 'use:', 'u', 'ü'])('is hidden behind %j', (before) => {
    for (const after of ['', ':', '\n', ':x', '€']) {
      const bytes = Buffer.from(before + key + after)
      for (const alphabet of ['base64', 'base64url'] as const) {
        const shown = keep(key).secrets.show(`Basic ${bytes.toString(alphabet)}`)
        const [first = '', last = '', ...rest] = shown.split('***')
        expect(rest).toEqual([])
        // At most one character at each edge stands for a part of the secret too.
        const edge = Math.ceil((Buffer.byteLength(before) * 4) / 3)
        expect(first.length - 'Basic '.length).toBeLessThanOrEqual(edge + 1)
        expect(last.length).toBeLessThanOrEqual(Math.ceil(Buffer.byteLength(after) / 3) * 4 + 4)
      }
    }
  })

  it.each([64, 76])('is hidden in lines of %d characters, whatever is before it', (width) => {
    const long = Array.from({ length: 40 }, (_, at) => `${at}?`).join('~')
    for (const before of ['', 'x-access-token:', 'user:']) {
      const lines = btoa(`${before}${long}\n`).match(new RegExp(`.{1,${width}}`, 'g')) ?? []
      const shown = keep(long).secrets.show(`the key:\n${lines.join('\n')}\nthe end`)
      expect(shown).toMatch(/^the key:\n[\w+/]{0,21}\*{3}.{1,5}\nthe end$/)
    }
  })

  it('is hidden if six characters stand for it alone', () => {
    expect(keep('keys1').secrets.show('Basic a2V5czE6eA==')).toBe('Basic ***E6eA==')
  })

  it('is not searched for if it would be a short text', () => {
    expect(keep('key!').secrets.show('a2V5IQ a2V5I')).toBe('a2V5IQ a2V5I')
  })
})

describe('a text that may become an output of a job', () => {
  it.each([
    ['the key s3cr3t', true],
    ['{"key":"pa\\"ss-word"}', true],
    ['key=c2lnbmF0dXJl', true],
    ['the address https://x.example', false],
  ])('%j has a masked value: %j', (text, isMasked) => {
    const { secrets } = keep('s3cr3t', 'pa"ss-word')
    secrets.mask('signature')
    secrets.hide('https://x.example')
    expect(secrets.hasMasked(text)).toBe(isMasked)
    expect(secrets.show('signature of https://x.example')).toBe('signature of ***')
  })
})

describe('the runner', () => {
  it('gets the pieces of a secret with ampersands that are long enough', () => {
    expect(keep('abcdef&ghijk&lmnopq').masked).toEqual(['abcdef', 'lmnopq'])
    expect(keep('ab&cd').secrets.show('ab&cd')).toBe('***')
  })

  it('gets one mask per secret, because it finds other encodings itself', () => {
    expect(keep('pa"ss /1', 'pa"ss /1').masked).toEqual(['pa"ss /1'])
  })

  it('gets one mask per line of a secret, because it works line by line', () => {
    expect(keep('first1\r\nsecond2\n\n', 'second2').masked).toEqual(['first1', 'second2'])
  })
})

describe('the links of a status record', () => {
  it.each<[links: [string | null, string | null], masked: string[]]>([
    [
      ['https://s.example/?sig=result-1', 'https://s.example/?sig=logs-1'],
      ['result-1', 'logs-1'],
    ],
    [[null, null], []],
    [['https://s.example/?sig=e-4711', null], []],
  ])('%j: masked are %j', ([result_url, logs_url], expected) => {
    const { secrets, masked } = keep()
    maskLinks({ result_url, logs_url }, 'execution-e-4711', secrets)
    expect(masked).toEqual(expected)
  })
})
