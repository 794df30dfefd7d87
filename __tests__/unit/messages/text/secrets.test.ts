import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Secrets } from '../../../../src/messages/text/secrets.ts'

function keep(...values: string[]): { secrets: Secrets; masked: string[] } {
  const masked: string[] = []
  const secrets = new Secrets((value) => masked.push(value))
  for (const value of values) secrets.add(value)
  return { secrets, masked }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')
const base64url = (text: string) => Buffer.from(text).toString('base64url')

describe('a secret for now', () => {
  it('is hidden as any other, until it is forgotten', () => {
    const { secrets, masked } = keep('s3cr3t')
    const forget = secrets.addForNow(['https://store/a?sig=1"2'], 'sig=1"2')
    const text = 'see https://store/a?sig=1"2, s3cr3t, {"link":"https://store/a?sig=1\\"2"}'

    expect(masked.filter((value) => value.includes('sig'))).toEqual(['sig=1"2'])
    expect(secrets.show(text)).toBe('see ***, ***, {"link":"***"}')
    forget()
    expect(secrets.show('https://store/a?sig=1"2 and s3cr3t')).toBe(
      'https://store/a?sig=1"2 and ***',
    )
  })

  it('that is empty hides nothing', () => {
    const { secrets, masked } = keep()
    secrets.addForNow([' '], ' ')
    expect([secrets.show('a b'), masked]).toEqual(['a b', []])
  })
})

describe('a secret', () => {
  it('is masked by the runner, and taken out of our own texts', () => {
    const { secrets, masked } = keep('s3cr3t')

    expect(masked).toContain('s3cr3t')
    expect(secrets.show('a s3cr3t and a s3cr3t')).toBe('a *** and a ***')
  })

  it.each([
    ['as JSON spells it', 'pa"ss\\', '{"token":"pa\\"ss\\\\"}', '{"token":"***"}'],
    ['as a URL spells it', 'pa ss/1', '?token=pa%20ss%2F1', '?token=***'],
    ['as base64', 's3cr3t', 'Basic czNjcjN0', 'Basic ***'],
    ['as URLs of other makers spell it', 'pa ss/1=', '?token=pa%20ss/1%3d', '?token=***'],
    ['as a web page spells it', `<p&"s'1🙂>`, '&lt;p&amp;&quot;s&#39;1&#x1f642;&gt;', '***'],
    ['as XML spells it', "it's 1", 'it&apos;s 1', '***'],
    ['without the blanks around it', ' s3cr3t ', 'key=s3cr3t;', 'key=***;'],
    [
      'as base64 within a longer text',
      's3cr3t-key',
      base64('Aladdin:s3cr3t-key'),
      'QWxhZGRpbjpz***',
    ],
    ['as base64 with more behind it', 's3cr3t-key', base64('s3cr3t-key:x'), '***eTp4'],
    ['as base64 of URLs', 'ÿÿÿÿÿÿ?>', base64url('a:ÿÿÿÿÿÿ?>'), 'YTrD***Pg'],
    ['by each of its lines', 'first1\r\nsecond2\n\n', 'second2, first1', '***, ***'],
  ])('is hidden %s', (_how, secret, text, shown) => {
    expect(keep(secret).secrets.show(text)).toBe(shown)
  })

  it('that is part of another leaves nothing of the longer one', () => {
    expect(keep('abc', 'abcdef').secrets.show('abcdef abc')).toBe('*** ***')
  })

  it('that overlaps another leaves nothing of either', () => {
    expect(keep('abcdef', 'efghi').secrets.show('abcdefghi!')).toBe('***!')
  })

  it('is masked once, however often it is added', () => {
    expect(keep('s3cr3t', 's3cr3t').masked.filter((value) => value === 's3cr3t')).toHaveLength(1)
  })

  it.each([[''], [' '], ['\n\n']])('that is blank (%j) hides nothing', (blank) => {
    const { secrets, masked } = keep(blank)

    expect(masked).toEqual([])
    expect(secrets.show(' a\n\nb ')).toBe(' a\n\nb ')
  })

  it('is found nowhere in a redacted text', () => {
    const secret = fc.string({ minLength: 4 }).filter((text) => /^[^*\s]+$/.test(text))
    fc.assert(
      fc.property(fc.array(secret), fc.array(fc.string()), (values, between) => {
        const { secrets } = keep(...values)
        const shown = secrets.show(values.map((value, at) => (between[at] ?? '') + value).join(''))
        for (const value of values) expect(shown).not.toContain(value)
      }),
    )
  })

  it.each([
    ['colours', 's3c\u001b[31mr3t', 'a *** b'],
    ['bidi controls', 's3c\u202er3t', 'a *** b'],
    ['characters of no width', 's\u200b3\ufeffc\u00adr3t', 'a *** b'],
    ['format characters', 's\ufff93\ufffac\ufffbr3t', 'a *** b'],
    ['escapes of JSON', '\\u0073\\u0033c\\u200br3t', 'a *** b'],
    ['nothing but what is seen', 's3c-r3t', 'a s3c-r3t b'],
  ])('is shown nowhere, though its letters are apart by %s', (_what, broken, shown) => {
    expect(keep('s3cr3t').secrets.show(`a ${broken} b`)).toBe(shown)
  })

  it.each([
    ['my  secret', '***'],
    ['my\nsecret', '***'],
    ['my\u00a0\tsecret', '***'],
    ['my\\u0020&#32;%20secret', '***'],
    ['mysecret', 'mysecret'],
  ])('of two words is one whatever white space is between them: %j', (text, shown) => {
    expect(keep('my secret').secrets.show(text)).toBe(shown)
  })

  it.each([
    ['u0041bcdef', '\\u0041bcdef', '\\***'],
    ['abcdef\\', 'abcdef\\"', '***"'],
    ['ab/cdef', 'ab\\/cdef', '***'],
    ['ab%41cd', '\\u0061b%41cd', '***'],
    ['é%41cd%4', 'é%41cd%41', '***1'],
  ])('that is or stands beside an escape is found all the same: %j', (secret, text, shown) => {
    expect(keep(secret).secrets.show(text)).toBe(shown)
  })

  it('is hidden in its beginning where the text was cut inside of it', () => {
    const { secrets } = keep('s3cr3t-value')

    expect(secrets.show('the s3cr3t-v', true)).toBe('the ***')
    expect(secrets.show('the s3cr3t-v')).toBe('the s3cr3t-v')
  })

  it.each([0, 1, 2])('is hidden in base64 with %i bytes before it', (count) => {
    const packed = base64(`${'x'.repeat(count)}s3cr3t-k${'y'.repeat(9)}`)

    expect(keep('s3cr3t-k').secrets.show(packed)).toMatch(/^.{0,4}\*\*\*.{0,4}eXl5eXl5/)
  })

  it('of 512 bytes is hidden in base64 as well', () => {
    const long = 's3cr3t-k'.repeat(64)

    expect(keep(long).secrets.show(base64(`x${long}`))).toBe(`${base64('xs3')}***`)
  })

  it('of few characters hides nothing in the base64 of others', () => {
    expect(keep('abc12').secrets.show(base64('abcdef'))).toBe(base64('abcdef'))
  })

  it('of a megabyte is hidden, and so is all that begins like it', () => {
    const long = `key-${'c'.repeat(1_000_000)}`

    expect(keep(long).secrets.show(`x${long}y`)).toBe('x***y')
  })

  it('is found in a megabyte of text', () => {
    const noise = 'x'.repeat(1_000_000)

    expect(keep('s3cr3t', `${'x'.repeat(1_000)}y`).secrets.show(`${noise}s3cr3t`)).toBe(
      `${noise}***`,
    )
  })
})
