import { expect, it } from '@jest/globals'
import { showProblems } from '../../../src/messages/describe-result-problems.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { compileSchema } from '../../../src/runner/result-schema/compile.ts'

const secret = 'correct-horse-battery '.repeat(70)
const secrets = new Secrets(() => undefined)
secrets.add(secret)

/** Returns the lines about a value that does not match. */
function linesOf(schema: unknown, value: unknown): readonly string[] {
  const compiled = compileSchema(schema)
  const found = 'check' in compiled ? compiled.check(value) : undefined
  return found ? showProblems(found, secrets, true).lines : []
}

// A problem has the first 4,096 characters of a text. They end within the third secret.
it.each([
  ['a value', { type: 'number' }, secret.repeat(3)],
  ['a name', { additionalProperties: false }, { [secret.repeat(3)]: 1 }],
  ['a place', { additionalProperties: { type: 'number' } }, { [secret.repeat(3)]: '' }],
  ['a text of the schema', { const: secret.repeat(3) }, 1],
])('%s that was cut within a secret shows nothing of the secret', (_, schema, value) => {
  const [line = ''] = linesOf(schema, value)

  expect(line).toContain(': ')
  expect(line).not.toMatch(/correct|horse|battery/)
})
