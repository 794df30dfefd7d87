import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction, type Scenario } from './support/run-action.ts'

const inputs = { 'upload-artifact': 'true' }
const shortPauses = new URL('./support/short-pauses.mjs', import.meta.url).href

/** Expects a green step without an artifact. The outputs name the result file. */
async function expectUntouched(step: StepResult): Promise<void> {
  expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
  expect(step.outputs).toMatchObject({
    'artifact-name': '',
    'artifact-id': '',
    'artifact-url': '',
    'artifact-digest': '',
  })
  expect(await readFile(step.outputs['result-file'] ?? '', 'utf8')).toContain('All 12 feeds')
  expect(await readFile(step.outputs['log-file'] ?? '', 'utf8')).toContain('writing')
}

describe('an artifact that cannot be uploaded is a warning with the remedy', () => {
  it('when its name is taken', async () => {
    await using sandbox = await openSandbox()
    await using artifactService = await openArtifactService()
    const named = { ...inputs, 'artifact-name': 'report', 'retention-days': '3' }
    await using first = await runAction({ sandbox, inputs: named, artifactService })
    await using second = await runAction({ sandbox, inputs: named, artifactService })
    expect(first.outputs['artifact-name']).toBe('report')
    expect(artifactService.artifacts).toMatchObject([{ name: 'report', retentionDays: 3 }])
    await expectUntouched(second)
    expect(annotationsOf(second, 'warning')).toMatchObject([
      { message: expect.stringMatching(/already exists .*Give each step its own artifact-name\./) },
    ])
  })

  it('when the service is down: the conclusion of a failed run does not change', async () => {
    await using sandbox = await openSandbox()
    await using artifactService = await openArtifactService()
    artifactService.inject({ on: 'create', fault: 'status', status: 503 })
    const env = { NODE_OPTIONS: `--import=${shortPauses}` }
    const scenario = { sandbox, automation: 'broken-report', inputs, artifactService, env }
    await using step = await runAction(scenario)
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([1, 'error'])
    expect(theError(step).title).toBe('broken-report failed')
    expect(theError(step).message).toContain(step.outputs['log-file'])
    expect(annotationsOf(step, 'warning')[0]?.message).toMatch(/^No artifact was uploaded: .*503/)
  })
})

it('a re-run that publishes the same run again gets an artifact of its own', async () => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  const executionId = await finishRun(sandbox, 'broken-report')
  const scenario: Scenario = {
    sandbox,
    action: 'wait',
    inputs: { ...inputs, 'execution-id': executionId },
    artifactService,
  }
  await using first = await runAction(scenario)
  await using second = await runAction({ ...scenario, env: { GITHUB_RUN_ATTEMPT: '2' } })
  expect([first, second].map(({ outputs }) => outputs['artifact-name'])).toEqual([
    `automation-${executionId}`,
    `automation-${executionId}-attempt-2`,
  ])
  expect(annotationsOf(second, 'warning')).toEqual([])
})

it('a re-run with a name of its own replaces the artifact of the earlier attempt', async () => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  const named = { ...inputs, 'artifact-name': 'report', 'retention-days': '400' }
  const scenario: Scenario = { sandbox, inputs: named, artifactService }
  await using first = await runAction(scenario)
  await using second = await runAction({ ...scenario, env: { GITHUB_RUN_ATTEMPT: '2' } })
  const [artifact, ...others] = artifactService.artifacts
  expect([String(artifact?.id), others]).toEqual([second.outputs['artifact-id'], []])
  expect(second.outputs['artifact-id']).not.toBe(first.outputs['artifact-id'])
  expect(second.log).not.toContain('No artifact was uploaded')
  expect(second.log).toContain('GitHub keeps it for 90 days, the maximum of this repository.')
})

describe('without an artifact service, a notice says where the files are', () => {
  it('on a runner without artifacts', async () => {
    await using sandbox = await openSandbox()
    await using step = await runAction({ sandbox, inputs, artifactService: 'none' })
    await expectUntouched(step)
    expect(annotationsOf(step, 'notice')).toMatchObject([
      { message: expect.stringContaining('this runner offers no artifact service') },
    ])
    expect(annotationsOf(step, 'notice')[0]?.message).toContain(step.temp)
  })

  it('on GitHub Enterprise Server', async () => {
    await using sandbox = await openSandbox()
    const env = { GITHUB_SERVER_URL: 'https://github.example.com' }
    await using step = await runAction({ sandbox, inputs, env })
    await expectUntouched(step)
    expect(step.artifacts).toEqual([])
    expect(annotationsOf(step, 'notice')).toMatchObject([
      { message: expect.stringContaining('not currently supported on GHES') },
    ])
    expect(annotationsOf(step, 'warning')).toEqual([])
  })
})
