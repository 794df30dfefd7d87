import { describe, expect, it } from '@jest/globals'
import { LineSplitter } from '../../sandbox/runner/lines.ts'

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

  it('keep empty ones, and a last one without an ending', () => {
    expect(split('a\n\n\nb')).toEqual(['a', '', '', 'b'])
  })

  it('do not depend on where the chunks are cut', () => {
    expect(split('a\r', '\nb', 'c\n', '\n', 'd')).toEqual(['a', 'bc', '', 'd'])
  })

  it('hold together characters whose bytes arrive apart', () => {
    const [first, second] = [Buffer.from('é\n').subarray(0, 1), Buffer.from('é\n').subarray(1)]
    expect(split(first, second)).toEqual(['é'])
  })

  it('show invalid UTF-8 as replacement characters', () => {
    expect(split(Buffer.from([0x61, 0xff, 0x0a]))).toEqual(['a\ufffd'])
  })

  it('may be 10 MB long', () => {
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const [line] = split(...Array.from({ length: 160 }, () => chunk))
    expect(line).toHaveLength(160 * 64 * 1024)
  })
})
