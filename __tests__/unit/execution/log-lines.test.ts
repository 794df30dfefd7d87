import { describe, expect, it } from '@jest/globals'
import { readLogLines } from '../../../src/execution/cause.ts'

const textOf = (line: string) => readLogLines(line)[0]?.text
const levelledOf = (line: string) => readLogLines(line)[0]?.levelled
const escape = '\u001b'

describe('before a line of a log, a timestamp is left out', () => {
  it.each([
    ['2026-11-20T03:00:00Z boom'],
    ['2026-11-20 03:00:00 boom'],
    ['2026-11-20T03:00:00.123456789Z boom'],
    ['2026-11-20 03:00:00,123 boom'],
    ['2026-11-20T03:00:00+01:00 boom'],
    ['2026-11-20T03:00:00-0530 boom'],
    [' 2026-11-20T03:00:00Z boom'],
    ['[2026-11-20 03:00:00] boom'],
    ['2026-11-20 03:00:00 - boom'],
    ['2026-11-20 03:00:00 | boom'],
    ['2026-11-20 03:00:00 : boom'],
  ])('%s', (line) => {
    expect(levelledOf(line)).toBe('boom')
  })

  it('and the text behind it keeps its indentation', () => {
    expect(levelledOf('2026-11-20T03:00:00Z   boom')).toBe('  boom')
  })

  it('if nothing follows it', () => {
    expect(levelledOf('2026-11-20T03:00:00Z')).toBe('')
  })

  it.each([
    ['since 2026-11-20T03:00:00Z boom'],
    ['2026-11-20 boom'],
    ['03:00:00 boom'],
    ['2026-11-20T03:00:00ms boom'],
  ])('and no more than that: %s', (line) => {
    expect(levelledOf(line)).toBe(line)
  })
})

describe('before the text of a line, a level is left out', () => {
  it.each([
    ['[error] boom'],
    ['[WARN] - boom'],
    ['[info]: boom'],
    ['[debug]| boom'],
    ['ERROR boom'],
    ['WARNING: boom'],
    ['FATAL - boom'],
    ['CRITICAL| boom'],
  ])('%s', (line) => {
    expect(textOf(line)).toBe('boom')
    expect(levelledOf(line)).toBe(line)
  })

  it.each([['[error]'], ['ERROR'], ['ERROR:']])('if nothing follows it: %s', (line) => {
    expect(textOf(line)).toBe('')
  })

  it.each([
    ['Error: boom'],
    ['ERRORS boom'],
    ['[errors] boom'],
    ['[error]boom'],
    ['the ERROR boom'],
    ['the [error] boom'],
  ])('and nothing that is part of the text: %s', (line) => {
    expect(textOf(line)).toBe(line)
  })

  it('behind a timestamp and within colours', () => {
    expect(textOf(`2026-11-20 03:00:00 ${escape}[1;31mERROR${escape}[0m boom`)).toBe('boom')
  })
})

describe('a line of a log', () => {
  it('has no colours and no other controls of a terminal', () => {
    const controls = ['[0m', '[38;5;196m', '[?25l', '[2K', '[0 q', '[1~']

    expect(textOf(controls.map((control) => `${escape}${control}b`).join(''))).toBe('bbbbbb')
  })

  it('ends with any of the usual line ends', () => {
    expect(readLogLines('a\nb\r\nc\rd').map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd'])
  })
})
