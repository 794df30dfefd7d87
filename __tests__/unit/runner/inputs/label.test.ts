import { describe, expect, it } from '@jest/globals'
import { labelOf, labelPath } from '../../../../src/runner/inputs/seed-list.ts'
import { outcome, problemsOf } from './outcome.ts'

const seed = `{
  "city": {"name": "Ulm", "size": 12345678901234567890, "free": false},
  "list": ["a", {"b": 1.0}], "": "empty", "a/b": "slash", "m~n": "tilde", "~1": "both",
  "none": null, "far": 1e400, "__proto__": "own", "same": "first", "same": "last",
  "odd": "<b>\\n\\ud800", "text": "${'x'.repeat(1000)}", "long": "${'x'.repeat(1001)}"
}`

function labelAt(...path: string[]): string | undefined {
  return labelOf(seed, path)
}

describe('the path to a label', () => {
  it.each([
    ['city', ['city']],
    [' city name ', ['city name']],
    ['a.b~2', ['a.b~2']],
    ['/city/name', ['city', 'name']],
    ['/', ['']],
    ['/a~1b/m~0n/~01', ['a/b', 'm~n', '~1']],
  ])('%j', async (text, path) => {
    expect(await outcome(labelPath, text)).toEqual(path)
  })

  it.each(['/a~2', '/a~', '/~'])('%j has a tilde that stands for nothing', async (text) => {
    expect(await problemsOf(labelPath, text)).toEqual([
      `expected a member's name or a JSON Pointer, in which ~0 stands for ~ and ~1 for /, found "${text}"`,
    ])
  })
})

describe('a label', () => {
  it.each([
    ['a text', ['city', 'name'], 'Ulm'],
    ['a boolean', ['city', 'free'], 'false'],
    ['a number as it is written', ['city', 'size'], '12345678901234567890'],
    ['a number with a zero', ['list', '1', 'b'], '1.0'],
    ['a number past all bounds', ['far'], '1e400'],
    ['an element', ['list', '0'], 'a'],
    ['of a member without a name', [''], 'empty'],
    ['of the last of equal members', ['same'], 'last'],
    ['of a member with a strange name', ['__proto__'], 'own'],
    ['whatever the text is', ['odd'], '<b>\n\ud800'],
    ['of up to 1,000 characters', ['text'], 'x'.repeat(1000)],
  ])('may be %s', (_kind, path, label) => {
    expect(labelAt(...path)).toBe(label)
  })

  it.each([
    ['null', ['none']],
    ['an object', ['city']],
    ['an array', ['list']],
    ['missing', ['town']],
    ['below a text', ['city', 'name', '0']],
    ['below nothing', ['none', 'name']],
    ['inherited', ['toString']],
    ['the length of an array', ['list', 'length']],
    ['an index in another spelling', ['list', '00']],
    ['behind the last element', ['list', '-']],
    ['longer than 1,000 characters', ['long']],
  ])('is none where it is %s', (_kind, path) => {
    expect(labelAt(...path)).toBeUndefined()
  })
})
