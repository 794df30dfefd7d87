import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { annotationsOf, filesBelow, requestsOf, theError } from './support/facts.ts'
import { cities, linesIn, seedsOf } from './support/batch.ts'
import { runAction } from './support/run-action.ts'

const action = 'batch'
const automation = 'cities'

describe('a batch', () => {
  it('runs an automation for each seed, and publishes all results in the order of the list', async () => {
    await using automations = await makeAutomations(cities)
    await using sandbox = await openSandbox({ automations: automations.folder })
    await using artifacts = await openArtifactService()
    const inputs = {
      seeds: seedsOf('Berlin', 'Xanadu', 'Rome'),
      label: 'city',
      'upload-artifact': 'true',
    }
    const scenario = { sandbox, action, automation, inputs, artifactService: artifacts } as const
    await using step = await runAction(scenario)
    const { outputs } = step
    const folder = outputs['folder'] ?? ''
    const files = [
      ...['1-Berlin', '2-Xanadu', '3-Rome'].flatMap((run) =>
        ['result.json', 'run.log'].map((file) => `${run}/${file}`),
      ),
      ...['failed-seeds.jsonl', 'junit.xml', 'results.jsonl'],
    ]

    expect(step.exitCode).toBe(1)
    expect(outputs).toEqual({
      conclusion: 'failure',
      cause: expect.stringMatching(/^Run 2 \(Xanadu\) failed: RuntimeError: no such city: Xanadu/),
      total: '3',
      succeeded: '2',
      failed: '1',
      unknown: '0',
      unfinished: '0',
      'not-started': '0',
      resumed: 'false',
      folder: expect.any(String),
      'artifact-name': 'cities-batch',
      'artifact-id': '4242',
      'artifact-url': expect.stringMatching(/artifacts\/4242$/),
      'artifact-digest': expect.stringMatching(/^[0-9a-f]{64}$/),
      'duration-seconds': expect.stringMatching(/^\d+$/),
      results: expect.stringMatching(/^\[\{"number":1,"label":"Berlin",/),
      'results-file': path.join(folder, 'results.jsonl'),
      'failed-seeds-file': path.join(folder, 'failed-seeds.jsonl'),
      'junit-file': expect.stringMatching(/runs[\\/]junit\.xml$/),
      'summary-file': expect.stringMatching(/summary\.md$/),
    })
    const ids = linesIn(await readFile(outputs['results-file'] ?? '', 'utf8'))
    expect(ids).toMatchObject([
      {
        label: 'Berlin',
        conclusion: 'success',
        status: { finished: true },
        executions: [{ conclusion: 'success', started_at: expect.any(String) }],
        workflow_run: { url: expect.stringMatching(/\/actions\/runs\/4200\/job\/777$/) },
        result: { city: 'Berlin' },
      },
      { label: 'Xanadu', conclusion: 'error', cause: expect.stringContaining('no such city') },
      { label: 'Rome', conclusion: 'success', result_file: '3-Rome/result.json' },
    ])
    expect(await readFile(outputs['failed-seeds-file'] ?? '', 'utf8')).toBe('{"city":"Xanadu"}\n')
    expect(Object.keys(step.artifacts[0]?.files ?? {}).toSorted()).toEqual(files)
    expect(Object.keys(await filesBelow(step.workspace))).toEqual([])
    expect(annotationsOf(step, 'error')).toHaveLength(1)
    expect(theError(step)).toMatchObject({
      title: 'cities: 1 of 3 runs failed',
      message: expect.stringContaining('Run 2 (Xanadu) failed: RuntimeError: no such city: Xanadu'),
    })
    expect(step.summary).toContain('cities: 1 of 3 runs failed')
    expect(requestsOf(sandbox, 'start')).toHaveLength(3)
  })

  it('starts nothing more after the first failure with fail-fast', async () => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 400 })
    const inputs = { seeds: '[{}, {"n":2}, {"n":3}]', 'max-parallel': '1', 'fail-fast': 'true' }
    await using step = await runAction({ sandbox, action, inputs })
    expect(step.outputs).toMatchObject({ failed: '1', 'not-started': '2' })
    expect(requestsOf(sandbox, 'start')).toHaveLength(1)
  })

  it.each(['', ' \n\n'])('starts nothing and passes if its list is empty: %j', async (list) => {
    await using sandbox = await openSandbox()
    await using folder = await makeTemporaryFolder({ 'failed-seeds.jsonl': list })
    const inputs = { 'seeds-file': 'failed-seeds.jsonl' }
    await using step = await runAction({ sandbox, action, inputs, workspace: folder.path })
    expect([step.exitCode, sandbox.requests]).toEqual([0, []])
    expect(step.outputs).toMatchObject({ conclusion: 'success', total: '0' })
  })
})
