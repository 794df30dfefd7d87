import { describe, expect, it } from '@jest/globals'
import { parseCommandFile } from '../../sandbox/runner/command-file.ts'

describe('a command file', () => {
  it.each([
    ['a plain pair', 'a=1\n', { a: '1' }],
    ['equals signs in the value', 'a=b=c\n', { a: 'b=c' }],
    ['an empty value', 'a=\n', { a: '' }],
    ['several lines', 'a<<END\none\ntwo\nEND\n', { a: 'one\ntwo' }],
    ['an empty value of several lines', 'a<<END\nEND\n', { a: '' }],
    ['a value ending in line feeds', 'a<<END\none\n\nEND\n', { a: 'one\n' }],
    ['a value that looks like a pair', 'a<<END\nb=2\nEND\nc=3\n', { a: 'b=2', c: '3' }],
    ['`<<` behind the equals sign', 'a=b<<c\n', { a: 'b<<c' }],
    ['empty lines between', '\na=1\n\nb=2', { a: '1', b: '2' }],
    ['the last one of two', 'a=1\na=2\n', { a: '2' }],
  ])('gives %s', (_, text, pairs) => {
    expect(parseCommandFile(text)).toEqual(pairs)
  })

  it.each([
    ['a line without a value', 'hello\n', "Invalid format 'hello'"],
    ['a pair without a name', '=1\n', "Invalid format '=1'"],
    ['a missing delimiter', 'a<<END\none\n', "Matching delimiter not found 'END'"],
    ['a delimiter without a name', '<<END\nEND\n', 'Name and delimiter must not be empty'],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseCommandFile(text)).toThrow(message)
  })
})
