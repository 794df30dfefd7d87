import { cp } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { compileCache } from '../../sandbox/compile-cache.ts'
import { readActionFile } from '../../sandbox/runner/action-file.ts'
import { runStep, type StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { root } from '../../scripts/docs/action-files.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { connectionOf } from './support/run-action.ts'
import { startBody } from './support/one-step.ts'

const passed = "{ kind: 'passed' }"

async function runBody(body: string): Promise<StepResult> {
  return (await startBody(body)).result
}

describe('a step whose program crashes fails, with one annotation', () => {
  it.each([
    ['an event loop that becomes empty', 'await new Promise(() => {})', 'it ended too early'],
    [
      'an event loop that becomes empty in a phase with a heartbeat',
      "step.heartbeat.begin('waiting'); await new Promise(() => {})",
      'it ended too early',
    ],
    ['an error', "throw new TypeError('x is undefined')", 'TypeError: x is undefined'],
    ['something thrown that is no error', "throw 'a text'", 'a text'],
    [
      'a promise that nobody awaits',
      `Promise.reject(new Error('forgotten')); await step.clock.sleep(60_000); return ${passed}`,
      'forgotten',
    ],
    [
      'an error in a callback',
      `setTimeout(() => { throw new Error('in a timer') }); await step.clock.sleep(60_000)`,
      'in a timer',
    ],
    ['a library that ends the process', 'process.exit(0)', 'it ended too early'],
    [
      'an error, and another one while it cleans up',
      `await using left = { [Symbol.asyncDispose]: () => Promise.reject(new Error('not closed')) }
       throw new Error('the first one')`,
      'Error: the first one',
    ],
    [
      'two promises that nobody awaits',
      `Promise.reject(new Error('forgotten')); Promise.reject(new Error('as well'))
       await step.clock.sleep(60_000)`,
      'forgotten',
    ],
  ])('%s', async (_, body, words) => {
    await using end = await runBody(body)
    expect(end.exitCode).toBe(1)
    expect(theError(end).title).toBe('A bug in this action, not in your workflow')
    expect(theError(end).message).toContain(words)
    expect(theError(end).message).toContain('run-automation/issues/new')
    expect(end.stderr).toBe('')
  })

  it('but a step that succeeds passes, and prints nothing', async () => {
    await using end = await runBody(`return ${passed}`)
    expect([end.exitCode, end.commands, end.stdout, end.stderr]).toEqual([0, [], '', ''])
  })

  it('even if an open timer would keep it running', async () => {
    await using end = await runBody(`setInterval(() => {}, 1000); return ${passed}`)
    expect(end.exitCode).toBe(0)
  })
})

describe('a broken bundle of storage clients changes no verdict', () => {
  it.each([
    ['is missing', undefined],
    ['throws when it is loaded', "throw new Error('broken')"],
    ['is no program', 'this is no program'],
    ['exports no clients', 'export const nothing = 1'],
  ])('if it %s', async (_, program) => {
    await using action = await copyAction(program)
    await using sandbox = await openSandbox()
    for (const [automation, exitCode, conclusion] of [
      ['text-note', 0, 'success'],
      ['broken-report', 1, 'error'],
    ] as const) {
      const subject = { project: 'demo', automation, 'poll-interval': '100ms' }
      const inputs = { ...connectionOf({ sandbox }), ...subject }
      await using end = await runStep({ action: action.path, inputs, env: compileCache })
      expect([end.exitCode, end.outputs['conclusion']]).toEqual([exitCode, conclusion])
      expect(annotationsOf(end, 'warning')[0]?.message).toMatch(/^No artifact was uploaded: /)
      expect(annotationsOf(end, 'error')).toHaveLength(exitCode)
    }
  })
})

/** Copies the root action with `program` as its storage clients, or without them if undefined. */
async function copyAction(program: string | undefined) {
  const programs = program === undefined ? {} : { 'dist/storage/index.js': program }
  const folder = await makeTemporaryFolder(programs)
  await cp(path.join(root, 'action.yml'), path.join(folder.path, 'action.yml'))
  const bundle = path.dirname((await readActionFile('.')).main)
  await cp(bundle, path.join(folder.path, 'dist', 'actions'), { recursive: true })
  return folder
}
