import { expect, it } from '@jest/globals'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { Outputs, type OutputValues } from '../../../src/runner/outputs.ts'

/** Returns an output as the step writes it. */
function written(name: keyof OutputValues, value: string): string | undefined {
  const secrets = new Secrets(() => undefined)
  secrets.add('s3cr3t-value')
  const values = new Map<string, string>()
  new Outputs(secrets, (key, text) => void values.set(key, text)).set({ [name]: value })
  return values.get(name)
}

const x = (count: number) => 'x'.repeat(count)

it.each<[keyof OutputValues, string, string]>([
  ['result', 's3cr3t-value\n', 's3cr3t-value\n'],
  ['log-file', '/s3cr3t-value', '/s3cr3t-value'],
  ['log', 'a s3cr3t-value\nb', 'a ***\nb'],
  ['cause', 'a\n::s3cr3t-value', 'a ::***'],
  ['cause', `${x(1_990)}s3cr3t-value${x(9)}`, `${x(1_699)}…${x(288)}***${x(9)}`],
  ['message', 'a\ns3cr3t-value', 'a\n***'],
  ['message', `${x(3_994)}s3cr3t-value`, `${x(3_994)}***`],
  ['message', 'é'.repeat(5_000), `${'é'.repeat(3_999)}…`],
])(
  'the output %s is redacted, unless it is the result or a path, then cut',
  (name, value, shown) => {
    expect(written(name, value)).toBe(shown)
  },
)
