import { describe, expect, it } from '@jest/globals'
import { parseCommand } from '../../sandbox/runner/command.ts'

const known = new Set(['error', 'add-mask'])
const parse = (line: string) => parseCommand(line, (name) => known.has(name))

describe('a workflow command in a line', () => {
  it.each([
    ['with colons', '::error::boom', {}, 'boom'],
    ['after white space', ' \t::error::boom', {}, 'boom'],
    ['with properties', '::error file=a.py,line=3::boom', { file: 'a.py', line: '3' }, 'boom'],
    ['with colons in its message', '::error::a::b', {}, 'a::b'],
    ['with an empty message', '::error::', {}, ''],
    ['with equals signs in a value', '::error title=a=b::x', { title: 'a=b' }, 'x'],
    ['with an empty property, which is none', '::error title=,file=f::x', { file: 'f' }, 'x'],
    ['with brackets', '##[error]boom', {}, 'boom'],
    ['with brackets, anywhere', 'some text ##[error]boom', {}, 'boom'],
    ['with brackets and properties', '##[error file=f;line=3]x', { file: 'f', line: '3' }, 'x'],
    ['with brackets behind unknown colons', '::hello::##[error]boom', {}, 'boom'],
  ])('is seen %s', (_, line, properties, message) => {
    expect(parse(line)).toEqual({ command: 'error', properties, message })
  })

  it.each([
    ['behind other text', 'text ::error::boom'],
    ['of an unknown name', '::hello::boom'],
    ['without its second colons', '::error boom'],
    ['without its closing bracket', '##[error boom'],
    ['with a space before its name', ':: error::boom'],
    ['with one colon', ':error:boom'],
  ])('is text %s', (_, line) => {
    expect(parse(line)).toBeUndefined()
  })

  it.each([
    ['message', '::error::a%0Ab%0Dc%25d', { message: 'a\nb\rc%d' }],
    ['message: what core escaped stays as it was', '::error::%250A', { message: '%0A' }],
    ['message: colons and commas are no escapes there', '::error::%3A%2C', { message: '%3A%2C' }],
    ['property', '::error title=a%3Ab%2Cc%0Ad::', { properties: { title: 'a:b,c\nd' } }],
    ['brackets', '##[error]a%5Db%3Bc%0Ad', { message: 'a]b;c\nd' }],
  ])('is unescaped: %s', (_, line, expected) => {
    expect(parse(line)).toMatchObject(expected)
  })
})
