import { describe, expect, it } from '@jest/globals'
import { labelOf } from '../../../../src/runner/inputs/seed-list.ts'

const seed = `{
  "city": {"name": "Ulm", "size": 12345678901234567890, "free": false},
  "list": ["a", {"b": 1.0}], "": "empty", "a/b": "slash", "m~n": "tilde", "~1": "both",
  "none": null, "far": 1e400, "__proto__": "own", "same": "first", "same": "last",
  "odd": "<b>\\n\\ud800", "text": "${'x'.repeat(1000)}", "long": "${'x'.repeat(1001)}"
}`

function labelAt(...path: string[]): string | undefined {
  const tokens = path.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))
  return labelOf(seed, `/${tokens.join('/')}`)
}

describe('the pointer to a label', () => {
  it.each([
    ['a/b', 'slash'],
    ['/a~1b', 'slash'],
    ['/m~0n', 'tilde'],
    ['/~01', 'both'],
    ['/city/name', 'Ulm'],
    ['/', 'empty'],
  ])('may be %j', (pointer, label) => {
    expect(labelOf(seed, pointer)).toBe(label)
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
  ])('is undefined if it is %s', (_kind, path) => {
    expect(labelAt(...path)).toBeUndefined()
  })
})
