import { describe, expect, it } from '@jest/globals'
import { parseCommand } from '../../sandbox/runner/command.ts'
import { parseCommandFile } from '../../sandbox/runner/command-file.ts'
import { LineSplitter } from '../../sandbox/runner/lines.ts'

const known = new Set(['error', 'add-mask'])
const parse = (line: string) => parseCommand(line, (name) => known.has(name))

describe('a workflow command in a line', () => {
  it.each([
    ['after white space', ' \t::error::boom', {}, 'boom'],
    ['with colons in its message', '::error::a::b', {}, 'a::b'],
    ['with equals signs in a value', '::error title=a=b::x', { title: 'a=b' }, 'x'],
    ['with an empty property, which is ignored', '::error title=,file=f::x', { file: 'f' }, 'x'],
    ['with brackets and properties', '##[error file=f;line=3]x', { file: 'f', line: '3' }, 'x'],
    ['with brackets behind unknown colons', '::hello::##[error]boom', {}, 'boom'],
  ])('is seen %s', (_, line, properties, message) => {
    expect(parse(line)).toEqual({ command: 'error', properties, message })
  })

  it.each([
    ['behind other text', 'text ::error::boom'],
    ['of an unknown name', '::hello::boom'],
    ['without its second colons', '::error boom'],
  ])('is text %s', (_, line) => {
    expect(parse(line)).toBeUndefined()
  })

  it.each([
    ['message', '::error::a%0Ab%0Dc%25d', { message: 'a\nb\rc%d' }],
    ['message: what core escaped stays as it was', '::error::%250A', { message: '%0A' }],
    ['property', '::error title=a%3Ab%2Cc%0Ad::', { properties: { title: 'a:b,c\nd' } }],
    ['brackets', '##[error]a%5Db%3Bc%0Ad', { message: 'a]b;c\nd' }],
  ])('is unescaped: %s', (_, line, expected) => {
    expect(parse(line)).toMatchObject(expected)
  })
})

describe('a command file', () => {
  it.each([
    ['a value ending in line feeds', 'a<<END\none\n\nEND\n', { a: 'one\n' }],
    ['a value that looks like a pair', 'a<<END\nb=2\nEND\nc=3\n', { a: 'b=2', c: '3' }],
    ['`<<` behind the equals sign', 'a=b<<c\n', { a: 'b<<c' }],
    ['empty lines between', '\na=1\n\nb=2', { a: '1', b: '2' }],
    ['the last of two values', 'a=1\na=2\n', { a: '2' }],
  ])('gives %s', (_, text, pairs) => {
    expect(parseCommandFile(text)).toEqual(pairs)
  })

  it.each([
    ['a pair without a name', '=1\n', "Invalid format '=1'"],
    ['a missing delimiter', 'a<<END\none\n', "Matching delimiter not found 'END'"],
    ['a delimiter without a name', '<<END\nEND\n', 'Name and delimiter must not be empty'],
  ])('refuses %s', (_, text, message) => {
    expect(() => parseCommandFile(text)).toThrow(message)
  })
})

function split(...chunks: (string | Buffer)[]): string[] {
  const lines: string[] = []
  const splitter = new LineSplitter((line) => lines.push(line))
  for (const chunk of chunks) splitter.write(Buffer.from(chunk))
  splitter.end()
  return lines
}

describe('lines of a stream', () => {
  it('end with a line feed, a carriage return, or both', () => {
    expect(split('a\nb\rc\r\nd\n')).toEqual(['a', 'b', 'c', 'd'])
  })

  it('do not depend on where the chunks are cut', () => {
    expect(split('a\r', '\nb', 'c\n', '\n', 'd')).toEqual(['a', 'bc', '', 'd'])
  })
})
