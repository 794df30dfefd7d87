import { describe, expect, it } from '@jest/globals'
import { asTerminalShows } from '../../../../src/messages/text/terminal-text.ts'

describe('a log as a terminal leaves it', () => {
  it.each([
    ['a progress bar', '1 %\r50 %\r100 %\ndone\n', '100 %\ndone\n'],
    ['a progress bar that begins each state with the return', '\r1 %\r50 %\n', '50 %\n'],
    ['what stood to the right of a shorter state', 'loading\rok\n', 'okading\n'],
    ['a state that erases the rest of the line', 'loading\r\u001b[Kok\n', '\u001b[Kok\n'],
    ['a state that erases the line', 'loading\u001b[2K\rok\n', 'ok\n'],
    ['a state before one that was erased', 'loading\rx\u001b[2K\rok\n', 'ok\n'],
    ['line breaks of Windows', 'one\r\ntwo\r\n', 'one\ntwo\n'],
    ['line breaks written twice by Windows', 'one\r\r\ntwo\r\r\n', 'one\ntwo\n'],
    ['a bar that has not ended', 'one\n10 %\r', 'one\n10 %'],
    ['a line of returns alone', 'one\n\r\r\r\ntwo', 'one\n\ntwo'],
    ['colours, which have no width', '\u001b[31mloading\u001b[0m\rok', 'okading'],
    ['colours of the newer state', 'loading\r\u001b[31mok', '\u001b[31mokading'],
    ['emoji, which count as one', '👍👍👍\rx', 'x👍👍'],
    ['no returns', 'one\ntwo', 'one\ntwo'],
  ])('%s', (_what, log, shown) => {
    expect(asTerminalShows(log)).toBe(shown)
  })
})
