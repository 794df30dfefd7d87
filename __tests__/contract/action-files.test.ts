import { access } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  actionFiles,
  readActionFiles,
  root,
  type ActionName,
} from '../../scripts/docs/action-files.ts'
import { fieldsOf, type InputDeclaration } from '../../src/runner/inputs/declaration.ts'
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

describe.each(names)('the action.yml of %s', (action) => {
  const { name, description, author, branding, inputs, outputs, runs } = actions[action]
  const fields = Object.values(declarations[action].groups(root, '')).flatMap((group) =>
    fieldsOf(group),
  )

  it('declares the inputs that the code reads, and no other', () => {
    expect(Object.keys(inputs).toSorted()).toEqual(fields.map(({ name }) => name).toSorted())
  })

  it('tells people to keep a secret what the code declares as one, and nothing else', () => {
    const told = Object.entries(inputs).filter(([, { description }]) => /secret/i.test(description))
    const declared = fields.filter(({ schema }) => isSecret(schema)).map(({ name }) => name)
    // Of an address and of headers, parts are secret.
    const whole = declared.filter((name) => !name.startsWith('webhook'))
    expect(told.map(([name]) => name)).toEqual(whole)
    expect(whole).toContain('api-token')
  })

  it('declares the outputs that the code sets, and no other', () => {
    expect(Object.keys(outputs)).toEqual([...outputNames[action]])
  })

  it('has no default for what is required', () => {
    const both = Object.entries(inputs).filter(
      ([, input]) => input.required && input.default !== undefined,
    )
    expect(both).toEqual([])
  })

  it('writes each default as the runner hands it on: as text', () => {
    const defaults = Object.values(inputs).map((input) => typeof (input.default ?? ''))
    expect(new Set(defaults)).toEqual(new Set(['string']))
  })

  it('names its bundle, on Node 24', () => {
    expect(runs.using).toBe('node24')
    const bundle = path.resolve(root, path.dirname(actionFiles[action]), runs.main)
    expect(path.relative(root, bundle)).toBe(path.join('dist', action, 'index.js'))
  })

  it('is fit for the Marketplace', () => {
    expect(name).not.toBe('')
    expect(description.length).toBeLessThan(125)
    expect(author).not.toBe('')
    expect(branding).toEqual({
      icon: expect.stringMatching(/^[a-z-]+$/),
      color: expect.stringMatching(/^(white|black|yellow|blue|green|orange|red|purple|gray-dark)$/),
    })
  })
})

describe.each(names)('the bundle of %s', (action) => {
  it('is there', async () => {
    await access(path.join(root, 'dist', action, 'index.js'))
  })
})

/** What these say differs with what the action does: ask for one thing, or have many runs. */
function isDiffering(output: string): boolean {
  return output === 'message' || output === 'conclusion of batch'
}

describe('an input or output that several actions have', () => {
  it.each(['inputs', 'outputs'] as const)('is one and the same in all: %s', (kind) => {
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
