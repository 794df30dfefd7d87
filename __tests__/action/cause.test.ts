/** Tests why a run failed, as root, wait and batch show it. */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations, printing } from './support/automations.ts'
import { linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction } from './support/run-action.ts'

interface Shown {
  /** The output `cause` of root and wait, and the cause of the run of a batch. */
  causes: unknown[]
  junit: string
  steps: [root: StepResult, wait: StepResult, batch: StepResult]
}

/** Runs an automation whose container dies after this log, with root, wait and batch. */
async function show(log: Buffer, check: (shown: Shown) => void): Promise<void> {
  const body = `${printing(log)} process.kill(process.pid, 'SIGKILL')`
  await using automations = await makeAutomations({ dying: body })
  await using sandbox = await openSandbox({ automations: automations.folder })
  const common = { sandbox, automation: 'dying', inputs: { 'print-log': 'always' } }
  const executionId = await finishRun(sandbox, 'dying')
  await using root = await runAction(common)
  const wait = { ...common.inputs, 'execution-id': executionId }
  await using waited = await runAction({ ...common, action: 'wait', inputs: wait })
  const seeds = { ...common.inputs, seeds: '[{}]' }
  await using batch = await runAction({ ...common, action: 'batch', inputs: seeds })
  const read = (output: string) => readFile(batch.outputs[output] ?? '', 'utf8')
  const [result] = linesIn(await read('results-file')) as { cause: unknown }[]
  check({
    causes: [root.outputs['cause'], waited.outputs['cause'], result?.cause],
    junit: await read('junit-file'),
    steps: [root, waited, batch],
  })
}

const logs = path.join(import.meta.dirname, '../logs')
const died = 'The container died before the automation answered.'

describe('root, wait and batch show', () => {
  it.each([
    ['the line of a shell', '031-killed-bash-killed.log', /^run\.sh: line 3: {4}14 Killed /],
    [
      'an exception with its place',
      '069-prefix-cri.log',
      /^ValueError: day .* \(\/app\/main\.py, line 5\)$/,
    ],
    [
      'the last line',
      '030-killed-log-ends.log',
      /^The container died before the automation answered\. Its log ends with: fetching page 9005$/,
    ],
  ])('%s', async (_, file, cause) => {
    await show(await readFile(path.join(logs, file)), ({ causes, junit, steps: [root] }) => {
      expect(causes).toEqual([1, 2, 3].map(() => expect.stringMatching(cause)))
      expect(new Set(causes).size).toBe(1)
      expect(junit).toContain(`message="${String(causes[0])}"`)
      expect(theError(root).message.split('\n')[0]).toBe(causes[0])
    })
  })

  it.each([
    ['a log in gzip', gzipSync(randomBytes(3_000))],
    ['a log in UTF-16', Buffer.from('loading 48 models\n', 'utf16le')],
  ])('nothing of %s', async (_, log) => {
    await show(log, ({ causes, junit, steps }) => {
      expect(causes).toEqual([died, died, died])
      expect(junit).not.toContain('system-out')
      for (const { stdout, summary, outputs } of steps) {
        expect(stdout).toMatch(/log.* is not text, so it is not shown/)
        expect(`${stdout}${summary}${outputs['log'] ?? ''}`).not.toMatch(/[\0\ufffd]|models|^ │/m)
      }
    })
  })
})
