import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  actionFiles,
  readActionFiles,
  root,
  type ActionName,
  type Input,
} from '../../scripts/docs/action-files.ts'
import { ActionError } from '../../src/messages/notice.ts'
import { defaults, Inputs, readInputs } from '../../src/runner/inputs/inputs.ts'
import {
  readBatchInputs,
  readCreateProjectInputs,
  readRunInputs,
  readStartInputs,
  readWaitInputs,
} from '../../src/runner/inputs/read-inputs.ts'
import { secretInputs } from '../../src/runner/inputs/secret-inputs.ts'
import { outputNames } from '../../src/runner/outputs.ts'

const actions = await readActionFiles()
const names = Object.keys(actionFiles) as ActionName[]
const readers: Record<ActionName, (given: Inputs) => Promise<unknown>> = {
  run: readRunInputs,
  start: readStartInputs,
  wait: readWaitInputs,
  batch: readBatchInputs,
  'create-project': readCreateProjectInputs,
}

/** Returns the names of the inputs that the code of an action reads. */
async function readNames(action: ActionName): Promise<string[]> {
  const asked = new Set<string>()
  const environment = new Proxy<Record<string, string>>(
    {},
    { get: (_, variable) => void asked.add(String(variable)) },
  )
  // No input has a value, so the reading fails after it has asked for all of them.
  await readers[action](new Inputs(environment, '')).catch(() => undefined)
  return Array.from(asked, (variable) => variable.replace('INPUT_', '').toLowerCase())
}

/** Returns the inputs that a step without `with:` lacks. */
async function missingInputs(action: ActionName): Promise<string[]> {
  const error: unknown = await readInputs(readers[action], {}, '').catch(
    (reason: unknown) => reason,
  )
  if (!(error instanceof ActionError)) throw new Error('no ActionError', { cause: error })
  return error.message.split('\n').map((problem) => problem.replace(/:.*$/, ''))
}

/** True if only the runner can evaluate a default. */
const isExpression = (text: string) => text.startsWith('${{')

/** Inputs that another input can replace. Therefore action.yml does not require them. */
const replaceable: readonly string[] = ['seeds']

function isRequired(name: string, { required }: Input): boolean {
  return required === true || replaceable.includes(name)
}

describe.each(names)('the action.yml of %s', (action) => {
  const { name, description, author, branding, inputs, outputs, runs } = actions[action]

  it('declares the inputs that the code reads, and no other', async () => {
    expect(Object.keys(inputs).toSorted()).toEqual((await readNames(action)).toSorted())
  })

  it('calls exactly those inputs secret that the code masks', () => {
    const hits = Object.entries(inputs).filter(([, { description }]) => /secret/i.test(description))
    // Addresses and headers are secret only in part.
    const whole = Object.keys(secretInputs).filter((name) => !name.startsWith('webhook'))
    expect(hits.map(([name]) => name)).toEqual(whole.filter((name) => name in inputs))
  })

  it('declares the outputs that the code sets, and no other', () => {
    expect(Object.keys(outputs).toSorted()).toEqual([...outputNames[action]].toSorted())
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
    expect(await missingInputs(action)).toEqual(required.map(([name]) => name))
  })

  it('has the defaults of the code, and otherwise only expressions', () => {
    const declared = Object.entries(inputs).flatMap(([name, { default: text }]) =>
      text === undefined || isExpression(text) ? [] : [[name, text]],
    )
    const used = Object.entries(defaults).filter(([name]) => name in inputs)
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(used))
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

it('each default and each secret of the code is an input', () => {
  const all = names.flatMap((action) => Object.keys(actions[action].inputs))
  expect(all).toEqual(
    expect.arrayContaining([...Object.keys(defaults), ...Object.keys(secretInputs)]),
  )
  expect(Object.keys(secretInputs)).toHaveLength(5)
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
