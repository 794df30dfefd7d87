import { describe, expect, it } from '@jest/globals'
import { labelOf } from '../../../../src/runner/inputs/seed-list.ts'

const seed = `{
  "city": "Ulm", "size": 12345678901234567890, "ratio": 1.0, "far": 1e400, "free": false,
  "place": {"name": "Ulm"}, "list": ["a"], "none": null, "": "empty", "/a~1": "slash",
  "__proto__": "own", "same": "first", "same": "last", "odd": "<b>\\n\\ud800",
  "text": "${'x'.repeat(1000)}", "long": "${'x'.repeat(1001)}"
}`

describe('a label', () => {
  it.each([
    ['a text', 'city', 'Ulm'],
    ['a boolean', 'free', 'false'],
    ['a number as it is written', 'size', '12345678901234567890'],
    ['a number past all bounds', 'far', '1e400'],
    ['of a member without a name', '', 'empty'],
    ['of a member whose name looks like a path', '/a~1', 'slash'],
    ['of the last of equal members', 'same', 'last'],
    ['of a member with a strange name', '__proto__', 'own'],
    ['whatever the text is', 'odd', '<b>\n\ud800'],
    ['of up to 1,000 characters', 'text', 'x'.repeat(1000)],
  ])('may be %s', (_kind, member, label) => {
    expect(labelOf(seed, member)).toBe(label)
  })

  it.each([
    ['null', 'none'],
    ['an object', 'place'],
    ['an array', 'list'],
    ['missing', 'town'],
    ['inside an object', '/place/name'],
    ['inherited', 'toString'],
    ['longer than 1,000 characters', 'long'],
  ])('is undefined if it is %s', (_kind, member) => {
    expect(labelOf(seed, member)).toBeUndefined()
  })

  it('is found beside a value that is nested deeply', () => {
    expect(labelOf(`{"a":${'['.repeat(1e5)}${']'.repeat(1e5)},"b":"c"}`, 'b')).toBe('c')
  })
})
