import { expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { annotationsOf } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

// The toolkit's client tries five times, 28 s in all. Alone in its file, it runs beside the others.
it('an artifact service that is down is a warning, within a minute', async () => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  artifactService.inject({ on: 'create', fault: 'status', status: 503 })
  const inputs = { 'upload-artifact': 'true' }
  await using step = await runAction({ sandbox, inputs, artifactService })
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
  expect(step.outputs['result']).toContain('All 12 feeds')
  expect(annotationsOf(step, 'warning')[0]?.message).toMatch(/^No artifact was uploaded: .*503/)
  expect(step.duration).toBeLessThan(60_000)
}, 90_000)
