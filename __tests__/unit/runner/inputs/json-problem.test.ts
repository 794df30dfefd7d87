import { describe, expect, it } from '@jest/globals'
import { locateJsonProblem } from '../../../../src/runner/inputs/json-problem.ts'
import { seedText } from '../../../../src/runner/inputs/seed.ts'
import { webhookHeaders } from '../../../../src/runner/inputs/webhook-headers.ts'
import { problemsOf } from './outcome.ts'

/** As JSON.parse words it, when it gives a position. */
function failureAt(position: number): Error {
  return new SyntaxError(
    `Bad thing in JSON at position ${String(position)} (line 1 column ${String(position + 1)})`,
  )
}

// So deep that the parser which knows all positions gives up itself.
const bottomless = `{"a": ${'['.repeat(200_000)}x`

describe('the place of a JSON problem', () => {
  it('is where JSON.parse says that it is, whatever another parser finds', async () => {
    expect(await locateJsonProblem('{"abc":\n"defghijk"}', failureAt(12))).toEqual({
      line: 2,
      column: 5,
      offset: 12,
    })
  })

  it.each([new Error('no position'), 'no error at all'])(
    'is nowhere, where no parser finds a problem: %s',
    async (failure) => {
      expect(await locateJsonProblem('{}', failure)).toBeUndefined()
    },
  )

  it('is left out of what is told, where it is not known', async () => {
    expect(await problemsOf(seedText, bottomless)).toEqual([
      'expected a JSON object, found a text that is not valid JSON',
    ])
    expect(await problemsOf(webhookHeaders, bottomless)).toEqual([
      'expected lines "Name: value" or one JSON object of strings, found a text that starts like an object and is not valid JSON',
    ])
  })
})
