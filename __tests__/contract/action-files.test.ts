import { access } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import {
  actionFiles,
  readActionFiles,
  root,
  type ActionName,
} from '../../scripts/docs/action-files.ts'
import { inputNames, type InputGroup } from '../../src/runner/inputs/environment.ts'
import {
  createProjectInputs,
  runInputs,
  startInputs,
  waitInputs,
} from '../../src/runner/inputs/read.ts'
import { outputNames } from '../../src/runner/outputs.ts'

const actions = await readActionFiles()
const names = Object.keys(actionFiles) as ActionName[]
const schemas: Record<ActionName, Record<string, InputGroup>> = {
  run: runInputs(root),
  start: startInputs(root),
  wait: waitInputs(root),
  'create-project': createProjectInputs(/^/),
}

describe.each(names)('the action.yml of %s', (action) => {
  const { name, description, author, branding, inputs, outputs, runs } = actions[action]

  it('declares the inputs that the code reads, and no other', () => {
    const read = Object.values(schemas[action]).flatMap(inputNames)
    expect(Object.keys(inputs).toSorted()).toEqual(read.toSorted())
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

  it('runs a bundle that is there, on Node 24', async () => {
    expect(runs.using).toBe('node24')
    const bundle = path.resolve(root, path.dirname(actionFiles[action]), runs.main)
    expect(path.relative(root, bundle)).toBe(path.join('dist', action, 'index.js'))
    await access(bundle)
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

describe('an input or output that several actions have', () => {
  it.each(['inputs', 'outputs'] as const)('is one and the same in all: %s', (kind) => {
    const meanings = new Map<string, Set<string>>()
    for (const action of names) {
      for (const [name, entry] of Object.entries(actions[action][kind])) {
        // What a message says differs with what the action asked of the service.
        if (kind === 'outputs' && name === 'message') continue
        meanings.set(name, (meanings.get(name) ?? new Set()).add(JSON.stringify(entry)))
      }
    }
    const different = [...meanings].filter(([, texts]) => texts.size > 1)
    expect(different).toEqual([])
    expect(meanings.size).toBeGreaterThan(2)
  })
})
