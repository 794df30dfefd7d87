import { describe, expect, it } from '@jest/globals'
import type { Inputs } from '../../../../src/runner/inputs/inputs.ts'
import {
  anyText,
  boolean,
  InputProblem,
  line,
  pathSegment,
} from '../../../../src/runner/inputs/readings.ts'
import { problemsIn, valuesOf } from './problems.ts'

const blank = [{}, { timeout: '' }, { timeout: ' \r\n\t' }]

describe('an empty, blank or missing input', () => {
  it.each(blank)('is its default: %j', async (inputs) => {
    expect(await valuesOf((given) => given.setting('timeout', anyText), inputs)).toBe('1h')
  })

  it.each(blank)('is undefined if it is optional: %j', async (inputs) => {
    expect(await valuesOf((given) => given.optional('timeout', anyText), inputs)).toBeUndefined()
    expect(await valuesOf((given) => given.long('timeout', anyText), inputs)).toBeUndefined()
    expect(await valuesOf((given) => given.file('timeout', 1, anyText), inputs)).toBeUndefined()
  })

  it.each(blank)('is a problem if it is required: %j', async (inputs) => {
    expect(await problemsIn((given) => given.required('timeout', anyText), inputs)).toEqual([
      'timeout: required, but empty or not given; give a value (if the value comes from a variable or an output, that variable or output may be missing; a pull request from a fork gets no variables)',
    ])
    const missing = 'required; see the manual'
    expect(
      await problemsIn((given) => given.required('timeout', anyText, missing), inputs),
    ).toEqual(['timeout: required; see the manual'])
  })
})

describe('the text that is read', () => {
  const inputs = { name: ' a \n', timeout: ' 2h ', seed: '\uFEFF \uFEFFa \n' }

  it('has no white space around it', async () => {
    const read = (given: Inputs) =>
      Promise.all([
        given.required('name', anyText),
        given.optional('name', anyText),
        given.setting('timeout', anyText),
      ])
    expect(await valuesOf(read, inputs)).toEqual(['a', 'a', '2h'])
  })

  it('is unchanged if it may have several lines, except for a byte order mark', async () => {
    expect(await valuesOf((given) => given.long('seed', anyText), inputs)).toBe(' \uFEFFa \n')
    expect(await valuesOf((given) => given.long('seed', anyText), { seed: 'a\uFEFF' })).toBe(
      'a\uFEFF',
    )
  })
})

describe('problems', () => {
  const fail = (...problems: string[]) => {
    throw new InputProblem(problems)
  }

  it('are reported together, in the order in which the inputs are read', async () => {
    const read = (given: Inputs) =>
      given.all({
        b: () => given.optional('b', () => fail('first', 'second')),
        a: () => given.long('a', () => Promise.resolve().then(() => fail('third'))),
        group: () => given.all({ summary: () => given.setting('summary', boolean) }),
        more: () => given.problem('a', 'fourth'),
      })
    expect(await problemsIn(read, { a: '1', b: '2', summary: 'maybe' })).toEqual([
      'b: first',
      'b: second',
      'a: third',
      'summary: expected true or false, found "maybe"',
      'a: fourth',
    ])
  })

  it('of one input are counted from the 21st on', async () => {
    const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))
    const read = (count: number) => (given: Inputs) =>
      given.required('a', () => fail(...numbers(count)))
    expect(await problemsIn(read(20), { a: '1' })).toHaveLength(20)
    const problems = await problemsIn(read(23), { a: '1' })
    expect(problems.slice(19)).toEqual(['a: 19', 'a: there are more problems'])
  })

  it('say what to do, and that nothing was sent', async () => {
    await expect(valuesOf((given) => given.required('a', line), {})).rejects.toMatchObject({
      name: 'ActionError',
      notice: {
        title: 'Invalid input',
        advice: ['Next: Fix the inputs of this step; nothing was sent to the service.'],
      },
    })
  })

  it.each([
    [' daily ', 'Invalid input of daily'],
    ['..', 'Invalid input'],
  ])('name the automation if its input is valid: %j', async (automation, title) => {
    const read = (given: Inputs) =>
      given.all({
        automation: () => given.required('automation', pathSegment),
        a: () => given.required('a', line),
      })
    await expect(valuesOf(read, { automation })).rejects.toMatchObject({ notice: { title } })
  })

  it('do not hide an error of the code', async () => {
    const broken = () => {
      throw new TypeError('broken')
    }
    for (const read of [
      (given: Inputs) => given.required('a', broken),
      (given: Inputs) => given.long('a', broken),
    ])
      await expect(valuesOf(read, { a: '1' })).rejects.toThrow(new TypeError('broken'))
  })
})
