import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { hostileText } from '../../../support/hostile-text.ts'
import {
  escapeMarkup,
  inline,
  lines,
  unpunctuated,
} from '../../../../src/messages/text/untrusted-text.ts'

// Examples: grapheme joiner, fillers, vowels, notes, selectors, tags, annotations.
const unseen = [
  ...['\u034f', '\u115f', '\u1160', '\u3164', '\uffa0', '\u17b4', '\u180b', '\ufe0f'],
  ...['\u{1d173}', '\u{e0000}', '\u{e0041}', '\u{e0100}', '\ufff9'],
]

describe('a foreign text on one line', () => {
  it.each([
    ['a command', '::error::boom', ': :error::boom'],
    ['a command behind white space', ' \t::error::boom', ': :error::boom'],
    ['a command behind a line break', 'hello\r\n::error::boom', 'hello ::error::boom'],
    ['a command of the old form', 'a ##[error]b', 'a # #[error]b'],
    ['an old command with an escape in it', '##\u001b[31m[error]b', '# #[error]b'],
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    ['a window title', '\u001b]0;owned\u0007text', 'text'],
    ['a window title that never ends', '\u001b]0;text', '0;text'],
    ['a cleared screen', 'a\u001b[2J\u001bcb', 'ab'],
    ['an eight-bit escape', 'a\u009b31mb', 'a31mb'],
    ['NUL, bell and backspaces', 'a\0\u0007\b\bb', 'ab'],
    ['characters of no width', 'a\u200b\ufeff\u00adb', 'ab'],
    ['characters that are not drawn', unseen.join('b'), unseen.map(() => '').join('b')],
    ['line separators of Unicode', 'a\u2028b\u0085c', 'a b c'],
    ['a direction override', 'abc\u202etxt.exe', 'abctxt.exe'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['right-to-left words and emoji, which stay', 'שלום 👩‍👩‍👧', 'שלום 👩‍👩‍👧'],
  ])('%s', (_what, text, shown) => {
    expect(inline(text, 100)).toBe(shown)
  })

  it('is cut at the limit, with a mark', () => {
    expect(inline('0123456789', 10)).toBe('0123456789')
    expect(inline('0123456789a', 10)).toBe('012345678…')
  })

  it('never contains a line break, an escape, NUL or a command', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 200 }), (text, limit) => {
        const shown = inline(text, limit)
        expect(shown).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]|##\[|^\s*::/u)
        expect(shown.length).toBeLessThanOrEqual(limit)
        expect(shown.isWellFormed()).toBe(true)
      }),
    )
  })

  it.each([['\u001b'], ['\u001b]0;'], ['\u001b[1;'], ['##['], ['::'], ['\r']])(
    'takes no more than linear work for a megabyte of %j',
    (part) => {
      expect(inline(part.repeat(1_000_000 / part.length), 50).length).toBeLessThanOrEqual(50)
    },
  )
})

it('a foreign text in HTML and XML has no markup', () => {
  expect(escapeMarkup(`<a href="x">'&amp;'</a> ]]>`)).toBe(
    '&lt;a href=&quot;x&quot;&gt;&#39;&amp;amp;&#39;&lt;/a&gt; ]]&gt;',
  )
})

it('quoted words lose the full stops and colons at their end, and no others', () => {
  expect(unpunctuated('a.b: c.d. :')).toBe('a.b: c.d')
})

describe('the lines of a foreign text', () => {
  it.each([
    ['keep tabs and indentation', '\tif x:\n\t  y', ['\tif x:', '\t  y']],
    ['end at any line break', 'a\r\nb\rc\nd\fe\u2028f', ['a', 'b', 'c', 'd', 'e', 'f']],
    ['lose control characters', 'a\0b\u0007', ['ab']],
    ['lose colours', '\u001b[32mok\u001b[0m', ['ok']],
    ['keep what only looks like commands', '::error::x\n##[error]y', ['::error::x', '##[error]y']],
  ])('%s', (_what, text, shown) => {
    expect(lines(text)).toEqual(shown)
  })
})
