/** A run has one conclusion, whatever happens to its step afterwards. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { theError } from './support/facts.ts'
import { startAction } from './support/run-action.ts'
import { until, within } from './support/until.ts'
import { itWithSignals } from './support/with-signals.ts'

itWithSignals('a step that is cancelled during the upload is red, and its run failed', async () => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  artifactService.inject({ on: 'blob', fault: 'stall' })
  const inputs = { 'upload-artifact': 'true', 'fail-on': 'none' }
  const automation = 'broken-report'
  await using running = startAction({ sandbox, automation, inputs, artifactService })
  await until(() => artifactService.requests.some(({ call }) => call === 'blob'))
  running.signal('SIGINT')
  const step = await within(running.result)
  const folder = path.dirname(step.outputs['log-file'] ?? '')
  const facts = JSON.parse(await readFile(path.join(folder, 'execution.json'), 'utf8')) as object

  expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'error'])
  expect(facts).toMatchObject({ conclusion: 'error', cause: step.outputs['cause'] })
  const late = 'The step was cancelled before it had published the run.'
  const lines = theError(step).message.split('\n')
  expect(lines.slice(0, 3)).toEqual([step.outputs['cause'], expect.any(String), late])
  expect(step.summary).toContain(late)
})
