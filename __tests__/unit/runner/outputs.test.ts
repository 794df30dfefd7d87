import { expect, it } from '@jest/globals'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { Outputs, type OutputName, type OutputOf } from '../../../src/runner/outputs.ts'

/** Returns an output as the step writes it. */
function written(name: OutputName, value: string): string | undefined {
  const secrets = new Secrets(() => undefined)
  secrets.add('s3cr3t-value')
  const values = new Map<string, string>()
  new Outputs(
    secrets,
    (key, text) => void values.set(key, text),
    () => undefined,
  ).set({ [name]: value })
  return values.get(name)
}

const x = (count: number) => 'x'.repeat(count)

it.each<[OutputName, string, string]>([
  ['result', 's3cr3t-value\n', 's3cr3t-value\n'],
  ['log-file', '/s3cr3t-value', '/s3cr3t-value'],
  ['execution-id', 's3cr3t-value', 's3cr3t-value'],
  ['execution-url', 'https://s3cr3t-value/1', 'https://s3cr3t-value/1'],
  ['artifact-url', 'https://s3cr3t-value/1', 'https://s3cr3t-value/1'],
  ['log', 'a s3cr3t-value\nb', 'a ***\nb'],
  ['cause', 'a\n::s3cr3t-value', 'a ::***'],
  ['cause', `${x(1_990)}s3cr3t-value${x(9)}`, `${x(1_699)}…${x(288)}***${x(9)}`],
  ['message', 'a\ns3cr3t-value', 'a\n***'],
  ['message', `${x(3_994)}s3cr3t-value`, `${x(3_994)}***`],
  ['message', 'é'.repeat(5_000), `${'é'.repeat(3_999)}…`],
])('the output %s is redacted and cut only if it quotes a text', (name, value, shown) => {
  expect(written(name, value)).toBe(shown)
})

it('an output of another action does not compile', () => {
  const names: string[] = []
  const write = (name: string) => void names.push(name)
  const outputs = new Outputs<OutputOf<'wait'>>(
    new Secrets(() => undefined),
    write,
    () => undefined,
  )
  // @ts-expect-error `wait` has no output `resumed`.
  outputs.set({ finished: 'true', resumed: 'false' })
  const none: Outputs<never> = outputs
  // @ts-expect-error A function that takes a `Step` sets no outputs.
  none.set({ conclusion: 'success' })
  // @ts-expect-error Root has outputs that `wait` does not have.
  const ofRoot: Outputs<OutputOf<'run'>> = outputs
  ofRoot.set({ cause: '' })
  expect(names).toEqual(['finished', 'resumed', 'conclusion', 'cause'])
})
