import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { Secrets } from '../../../src/github/secrets.ts'

function keep(...values: string[]): { secrets: Secrets; masked: string[] } {
  const masked: string[] = []
  const secrets = new Secrets((value) => masked.push(value))
  for (const value of values) secrets.add(value)
  return { secrets, masked }
}

describe('a secret', () => {
  it('is masked by the runner, and taken out of our own texts', () => {
    const { secrets, masked } = keep('s3cr3t')

    expect(masked).toContain('s3cr3t')
    expect(secrets.redact('a s3cr3t and a s3cr3t')).toBe('a *** and a ***')
  })

  it.each([
    ['as JSON spells it', 'pa"ss\\', '{"token":"pa\\"ss\\\\"}', '{"token":"***"}'],
    ['as a URL spells it', 'pa ss/1', '?token=pa%20ss%2F1', '?token=***'],
    ['as base64', 's3cr3t', 'Basic czNjcjN0', 'Basic ***'],
    ['by each of its lines', 'first1\r\nsecond2\n\n', 'second2, first1', '***, ***'],
  ])('is hidden %s', (_how, secret, text, shown) => {
    expect(keep(secret).secrets.redact(text)).toBe(shown)
  })

  it('that is part of another leaves nothing of the longer one', () => {
    expect(keep('abc', 'abcdef').secrets.redact('abcdef abc')).toBe('*** ***')
  })

  it('that overlaps another leaves nothing of either', () => {
    expect(keep('abcdef', 'efghi').secrets.redact('abcdefghi!')).toBe('***!')
  })

  it('is masked once, however often it is added', () => {
    expect(keep('s3cr3t', 's3cr3t').masked.filter((value) => value === 's3cr3t')).toHaveLength(1)
  })

  it.each([[''], [' '], ['\n\n']])('that is blank (%j) hides nothing', (blank) => {
    const { secrets, masked } = keep(blank)

    expect(masked).toEqual([])
    expect(secrets.redact(' a\n\nb ')).toBe(' a\n\nb ')
  })

  it('is found nowhere in a redacted text', () => {
    const secret = fc.string({ minLength: 4 }).filter((text) => /^[^*\s]+$/.test(text))
    fc.assert(
      fc.property(fc.array(secret), fc.array(fc.string()), (values, between) => {
        const { secrets } = keep(...values)
        const shown = secrets.redact(
          values.map((value, at) => (between[at] ?? '') + value).join(''),
        )
        for (const value of values) expect(shown).not.toContain(value)
      }),
    )
  })

  it('is found in megabytes of text', () => {
    const noise = 'x'.repeat(5_000_000)

    expect(keep('s3cr3t', 'x'.repeat(50_000_00 + 1)).secrets.redact(`${noise}s3cr3t`)).toBe(
      `${noise}***`,
    )
  })
})
