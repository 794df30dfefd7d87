import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  actionFiles,
  readActionFiles,
  root,
  type ActionFile,
  type ActionName,
  type Input,
} from '../../scripts/docs/action-files.ts'
import { ActionError } from '../../src/messages/annotation.ts'
import { fieldsOf, openInputs, type InputDeclaration } from '../../src/runner/inputs/declaration.ts'
import type { Environment } from '../../src/runner/environment.ts'
import { isSecret } from '../../src/runner/inputs/secret.ts'
import { batchInputs } from '../../src/runner/inputs/read-batch.ts'
import {
  createProjectInputs,
  runInputs,
  startInputs,
  waitInputs,
} from '../../src/runner/inputs/read.ts'
import { outputNames } from '../../src/runner/outputs.ts'

const actions = await readActionFiles()
const names = Object.keys(actionFiles) as ActionName[]
const declarations: Record<ActionName, InputDeclaration> = {
  run: runInputs,
  start: startInputs,
  wait: waitInputs,
  batch: batchInputs,
  'create-project': createProjectInputs,
}

/** True if a default is an expression about the event. Its value may be empty. */
const isOfEvent = (text = '') => /\$\{\{ (?:github|job)\./.test(text)

/** Returns the inputs that a step without `with:` lacks, if the defaults are those of `inputs`. */
async function missingInputs(action: ActionName, inputs: ActionFile['inputs']): Promise<string[]> {
  const texts: Environment = Object.fromEntries(
    Object.entries(inputs).map(([name, { default: text }]) => [
      `INPUT_${name.toUpperCase()}`,
      isOfEvent(text) ? '' : text,
    ]),
  )
  const error: unknown = await openInputs(declarations[action], texts, '')
    .parse()
    .catch((reason: unknown) => reason)
  if (!(error instanceof ActionError)) throw new Error('no ActionError', { cause: error })
  return error.message.split('\n').map((problem) => problem.replace(/:.*$/, ''))
}

/** Inputs that another input can replace. Therefore action.yml does not require them. */
const replaceable: readonly string[] = ['seeds']

function isRequired(name: string, { required }: Input): boolean {
  return required === true || replaceable.includes(name)
}

describe.each(names)('the action.yml of %s', (action) => {
  const { name, description, author, branding, inputs, outputs, runs } = actions[action]
  const fields = Object.values(declarations[action](root, '')).flatMap((group) =>
    fieldsOf(group, {}),
  )

  it('declares the inputs that the code reads, and no other', () => {
    expect(Object.keys(inputs).toSorted()).toEqual(fields.map(({ name }) => name).toSorted())
  })

  it('calls exactly those inputs secret that the code declares secret', () => {
    const hits = Object.entries(inputs).filter(([, { description }]) => /secret/i.test(description))
    const declared = fields.filter(({ schema }) => isSecret(schema)).map(({ name }) => name)
    // Addresses and headers are secret only in part.
    const whole = declared.filter((name) => !name.startsWith('webhook'))
    expect(hits.map(([name]) => name)).toEqual(whole)
    expect(whole).toContain('api-token')
  })

  it('declares the outputs that the code sets, and no other', () => {
    expect(Object.keys(outputs)).toEqual([...outputNames[action]])
  })

  it('has matrix and job-id as its last inputs, which nobody sets', () => {
    const order = Object.keys(inputs)
    const unset = ['matrix', 'job-id'].filter((name) => name in inputs)
    expect(order.slice(order.length - unset.length)).toEqual(unset)
  })

  it('has no default for a required input', () => {
    const both = Object.entries(inputs).filter(
      ([, input]) => input.required && input.default !== undefined,
    )
    expect(both).toEqual([])
  })

  it('requires exactly the inputs that the code requires', async () => {
    const required = Object.entries(inputs).filter(([name, input]) => isRequired(name, input))
    expect(await missingInputs(action, inputs)).toEqual(required.map(([name]) => name))
  })

  it('has all defaults, and the code has none', async () => {
    const bare = Object.entries(inputs).map(
      ([name, { description }]) => [name, { description }] as const,
    )
    const fixed = (text = '') => text !== '' && !isOfEvent(text)
    const valued = Object.entries(inputs).filter(
      ([name, input]) => isRequired(name, input) || fixed(input.default),
    )
    const missing = await missingInputs(action, Object.fromEntries(bare))
    expect(missing.toSorted()).toEqual(valued.map(([name]) => name).toSorted())
  })

  it('names its bundle, on Node 24', () => {
    expect(runs.using).toBe('node24')
    const bundle = path.resolve(root, path.dirname(actionFiles[action]), runs.main)
    expect(path.relative(root, bundle)).toBe(path.join('dist', 'actions', `${action}.js`))
  })

  it('meets the rules of the Marketplace', () => {
    expect(name).not.toBe('')
    expect(description.length).toBeLessThan(125)
    expect(author).not.toBe('')
    expect(branding).toEqual({
      icon: expect.stringMatching(/^[a-z-]+$/),
      color: expect.stringMatching(/^(white|black|yellow|blue|green|orange|red|purple|gray-dark)$/),
    })
  })
})

/** True if the meaning of an output differs from action to action. */
function isDiffering(output: string): boolean {
  return output === 'message' || output === 'conclusion of batch'
}

describe('an input or output that several actions have', () => {
  it.each(['inputs', 'outputs'] as const)('has the same description in all: %s', (kind) => {
    const meanings = new Map<string, Set<string>>()
    for (const action of names) {
      for (const [name, entry] of Object.entries(actions[action][kind])) {
        if (kind === 'outputs' && [name, `${name} of ${action}`].some(isDiffering)) continue
        meanings.set(name, (meanings.get(name) ?? new Set()).add(JSON.stringify(entry)))
      }
    }
    const different = [...meanings].filter(([, texts]) => texts.size > 1)
    expect(different).toEqual([])
    expect(meanings.size).toBeGreaterThan(2)
  })
})

describe('a test in __tests__/action', () => {
  const files = globSync('__tests__/action/**/*.ts', { cwd: root })
  const scenarios = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n')
  const all = (kind: 'inputs' | 'outputs') => [
    ...new Set(names.flatMap((action) => Object.keys(actions[action][kind]))),
  ]

  it.each(all('inputs'))('sets the input %s', (input) => {
    expect(new RegExp(`'${input}'|\\b${input}: `).test(scenarios)).toBe(true)
  })

  it.each(all('outputs'))('expects the output %s', (output) => {
    const read = new RegExp(`'${output}'|\\b${output}: |outputs\\.${output}\\b`)
    expect(read.test(scenarios)).toBe(true)
  })
})
