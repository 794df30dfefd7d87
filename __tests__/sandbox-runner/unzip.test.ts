import { describe, expect, it } from '@jest/globals'
import { unzip } from '../../sandbox/runner/unzip.ts'

// Made by another program: a stored file, a deflated one in a folder, an empty folder, a comment.
const archive = () =>
  Buffer.from(
    [
      'UEsDBBQAAAAAAAAAIVwL+UNWBgAAAAYAAAAJAAAAcGxhaW4udHh0c3RvcmVkUEsDBBQAAAgIAAAAIVwH',
      '1m+QDgAAALQAAAASAAAAZm9sZGVyL2dyw7bDn2UudHh0S0lNy0ksSU1RSBk6DABQSwMEFAAAAAAAAAAh',
      'XAAAAAAAAAAAAAAAAAYAAABlbXB0eS9QSwECFAMUAAAAAAAAACFcC/lDVgYAAAAGAAAACQAAAAAAAAAA',
      'AAAAgAEAAAAAcGxhaW4udHh0UEsBAhQDFAAACAgAAAAhXAfWb5AOAAAAtAAAABIAAAAAAAAAAAAAAIAB',
      'LQAAAGZvbGRlci9ncsO2w59lLnR4dFBLAQIUAxQAAAAAAAAAIVwAAAAAAAAAAAAAAAAGAAAAAAAAAAAA',
      'AACAAWsAAABlbXB0eS9QSwUGAAAAAAMAAwCrAAAAjwAAAA4Ad2l0aCBhIGNvbW1lbnQ=',
    ].join(''),
    'base64',
  )

describe('an archive', () => {
  it('gives its files by their paths', () => {
    const files = Object.entries(unzip(archive())).map(([name, content]) => [
      name,
      content.toString(),
    ])
    expect(files).toEqual([
      ['plain.txt', 'stored'],
      ['folder/größe.txt', 'deflated '.repeat(20)],
    ])
  })

  it('is refused when a file is not what was packed', () => {
    const broken = archive()
    broken.write('X', broken.indexOf('stored'))
    expect(() => unzip(broken)).toThrow('Wrong checksum: plain.txt')
  })

  it.each([
    ['no archive', Buffer.from('hello')],
    ['cut', archive().subarray(0, -40)],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => unzip(bytes)).toThrow('Not a zip archive')
  })
})
