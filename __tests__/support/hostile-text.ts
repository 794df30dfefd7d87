import fc from 'fast-check'
import { anyText } from './any-text.ts'

const parts = [
  '\n',
  '\n\n',
  '\r',
  ' ',
  '```',
  '</pre>',
  '</td>',
  '</testcase>',
  ']]>',
  '<!--',
  '<![CDATA[',
  '"',
  "'",
  '&amp;',
  '| a |',
  '#',
  '$',
  '@',
  '%',
  ':',
  ';',
  '::',
  '##[',
  '::error::',
  '##[error]',
  '\0',
  '\u0007',
  '\u001b',
  '\u001b[31m',
  '\u001b]0;',
  '\u202e',
  '\u2028',
  '\ufffe',
  '\uffff',
  '\ud800',
  '../',
  '\\',
  'א',
  '👍',
]

/** Generates hostile text: markup, commands, control characters, lone surrogates, any text. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...parts), anyText()), { maxLength: 40 })
  .map((texts) => texts.join(''))
