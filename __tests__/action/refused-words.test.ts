import { describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

/** The annotation of a start that the service refuses with this body. */
async function refusedWith(body: string, status = 400) {
  await using sandbox: Sandbox = await openSandbox()
  sandbox.faults.inject({ on: 'start', fault: 'status', status, body })
  await using step = await runAction({ sandbox, action: 'start' })
  expect(step.exitCode).toBe(1)
  return theError(step)
}

describe('a refusal is told in the words of the service', () => {
  it.each([
    ['plain text', 'The seed is too large.', 'The seed is too large.'],
    ['a list by field', '{"webhook":["Enter a valid URL."]}', 'webhook: Enter a valid URL.'],
    ['a list', '["Enter a valid URL.","Again."]', 'Enter a valid URL.; Again.'],
    ['nested objects', '{"error":{"seed":{"a":"no number"}}}', 'error.seed.a: no number.'],
    ['a page', '<html><title>413 Too Large</title></html>', '413 Too Large.'],
  ])('that come as %s', async (_, body, words) => {
    const { message } = await refusedWith(body)
    expect(message).toContain(`The service answered 400: ${words} Nothing was started.\nNext: `)
  })

  it('the first 500 characters of them, as one line that commands nothing', async () => {
    const { message } = await refusedWith(`\u001b[31mno\r\n::error::##[error]${'x'.repeat(9_000)}`)
    const [first = '', ...more] = message.split('\n')
    expect(first).toMatch(/^The service answered 400: no ::error::# #\[error\]x+…\. Nothing was/)
    expect(first).toHaveLength(
      'The service answered 400: '.length + 500 + '. Nothing was started.'.length,
    )
    expect(more).toEqual([expect.stringMatching(/^Next: /)])
  })
})
