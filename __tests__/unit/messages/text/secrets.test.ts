import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'

function keep(...values: string[]): { secrets: Secrets; masked: string[] } {
  const masked: string[] = []
  const secrets = new Secrets((value) => masked.push(value))
  secrets.add(...values)
  return { secrets, masked }
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a secret', () => {
  it.each([
    ['as it is', 's3cr3t', 'a s3cr3t and a s3cr3t', 'a *** and a ***'],
    ['as JSON spells it', 'pa"ss\\', '{"token":"pa\\"ss\\\\"}', '{"token":"***"}'],
    ['as a URL spells it', 'pa ss/1', '?token=pa%20ss%2F1', '?token=***'],
    ['as a URL by Python, which leaves slashes', 'pa/s+s=(1)', 'x/pa/s%2Bs%3D%281%29', 'x/***'],
    ['as a URL in small letters', 'pa/s+s=', '?token=pa%2fs%2bs%3d', '?token=***'],
    ['as base64', 's3cr3t', 'Basic czNjcjN0', 'Basic ***'],
    ['as base64 after other bytes', 's3cr3t-key', base64('Aladdin:s3cr3t-key'), 'QWxhZGRpbj***'],
    ['as base64 before other bytes', 's3cr3t-key', base64('s3cr3t-key:x'), '***p4'],
    ['without the blanks around it', ' s3cr3t ', 'key=s3cr3t;', 'key=***;'],
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

  it('of few characters hides nothing in the base64 of other texts', () => {
    expect(keep('abc12').secrets.show(base64('abcdef'))).toBe(base64('abcdef'))
  })

  it.each(['', 'x', 'xy'])('is hidden whole in base64 after %j', (before) => {
    const { secrets } = keep('s3cr3t', 'geheim')
    for (const after of ['', 'x', 'xy']) {
      const [one, other] = ['s3cr3t', 'geheim'].map((secret) => base64(before + secret + after))
      expect(secrets.show(`${one} and`)).toBe(secrets.show(`${other} and`))
    }
  })

  it('of a megabyte is hidden', () => {
    const long = `key-${'c'.repeat(1_000_000)}`

    expect(keep(long).secrets.show(`x${long}y`)).toBe('x***y')
  })

  it.each([0, 200])('is not found in a redacted text, with %d others', (count) => {
    const others = Array.from({ length: count }, (_, number) => `other-secret-${number}`)
    const secret = fc.string({ minLength: 4 }).filter((text) => /^[^*\s]+$/.test(text))
    fc.assert(
      fc.property(fc.array(secret), fc.array(fc.string()), (values, between) => {
        const { secrets } = keep(...others, ...values)
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

describe('the runner', () => {
  it('gets one mask per secret, because it finds other encodings itself', () => {
    expect(keep('pa"ss /1', 'pa"ss /1').masked).toEqual(['pa"ss /1'])
  })

  it('gets one mask per line of a secret, because it works line by line', () => {
    expect(keep('first1\r\nsecond2\n\n', 'second2').masked).toEqual(['first1', 'second2'])
  })
})

describe('a signed link', () => {
  const linkOf = (number: number) => `https://store/${number}?signature=0123456789abcdef-${number}`

  it('is hidden for the 60 s that it works, and no longer', async () => {
    const clock = new SimulatedClock({ maxJump: 0 })
    const { secrets } = keep('s3cr3t')
    secrets.addLink(linkOf(1), clock, { masked: false })
    await clock.advance(59_999)
    secrets.addLink(linkOf(2), clock, { masked: false })
    const text = `s3cr3t ${linkOf(1)} ${linkOf(2)}`
    expect(secrets.show(text)).toBe('*** *** ***')

    await clock.advance(1)
    expect(secrets.show(text)).toBe(`*** ${linkOf(1)} ***`)
  })

  it.each([
    ['its signature alone', 'signature=0123456789abcdef-1', '***'],
    ['as a part of a URL', encodeURIComponent(linkOf(1)), '***'],
    ['in JSON', JSON.stringify({ link: linkOf(1) }), '{"link":"***"}'],
  ])('is hidden: %s', (_what, text, shown) => {
    const { secrets } = keep()
    secrets.addLink(linkOf(1), new SimulatedClock(), { masked: false })
    expect(secrets.show(text)).toBe(shown)
  })

  it('is masked once by its signature, if the caller asks for a mask', () => {
    const { secrets, masked } = keep()
    const clock = new SimulatedClock()
    for (const link of [linkOf(1), linkOf(1), 'https://store/log?v=2']) {
      secrets.addLink(link, clock, { masked: true })
    }
    secrets.addLink(linkOf(2), clock, { masked: false })
    expect(masked).toEqual(['signature=0123456789abcdef-1', 'https://store/log?v=2'])
  })
})
