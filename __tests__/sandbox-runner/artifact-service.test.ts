import { describe, expect, it } from '@jest/globals'
import { type ArtifactFault, openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { runStep, startStep } from '../../sandbox/runner/runner.ts'
import { makeAction, toolkit } from './fixture-action.ts'

/** An action that uploads two files by GitHub's own client and sets what that answers. */
const upload = (options = '{}') => `
  import artifact from ${JSON.stringify(toolkit.artifact)}
  import * as core from ${JSON.stringify(toolkit.core)}
  import { mkdirSync, writeFileSync } from 'node:fs'
  import { randomBytes } from 'node:crypto'
  mkdirSync('folder')
  writeFileSync('report.txt', 'a report')
  writeFileSync('folder/noise.bin', randomBytes(9 * 1024 * 1024))
  const files = ['report.txt', 'folder/noise.bin']
  try {
    const answer = await artifact.uploadArtifact('report', files, '.', ${options})
    for (const name in answer) core.setOutput(name, answer[name])
  } catch (error) {
    core.setFailed(error.message)
  }`

async function uploadWith(fault: ArtifactFault | undefined, env: Record<string, string> = {}) {
  await using action = await makeAction(upload())
  await using artifactService = await openArtifactService()
  if (fault) artifactService.inject(fault)
  await using step = await runStep({ action: action.folder, inputs: {}, artifactService, env })
  return { step, requests: artifactService.requests.map(({ call }) => call) }
}

describe('the artifact service, used by GitHub’s own client', () => {
  it('keeps every file whole, in one zip of several blocks', async () => {
    await using action = await makeAction(upload('{ retentionDays: 5 }'))
    await using step = await runStep({ action: action.folder, inputs: {} })
    const [artifact] = step.artifacts
    expect(artifact).toMatchObject({ name: 'report', retentionDays: 5 })
    expect(artifact?.files['report.txt']?.toString()).toBe('a report')
    expect(artifact?.files['folder/noise.bin']).toHaveLength(9 * 1024 * 1024)
    expect(step.outputs).toEqual({
      id: String(artifact?.id),
      size: String(artifact?.size),
      digest: artifact?.digest.replace('sha256:', ''),
    })
  })

  it('keeps a single file as it is, under its own name', async () => {
    const program = `
      import artifact from ${JSON.stringify(toolkit.artifact)}
      import { writeFileSync } from 'node:fs'
      writeFileSync('page.html', '<p>hello</p>')
      await artifact.uploadArtifact('ignored', ['page.html'], '.', { skipArchive: true })`
    await using action = await makeAction(program)
    await using step = await runStep({ action: action.folder, inputs: {} })
    expect(step.artifacts).toMatchObject([{ name: 'page.html', retentionDays: undefined }])
    expect(step.artifacts[0]?.files['page.html']?.toString()).toBe('<p>hello</p>')
  })

  it('refuses a second artifact of the same name', async () => {
    await using action = await makeAction(upload())
    await using artifactService = await openArtifactService()
    const options = { action: action.folder, inputs: {}, artifactService }
    await using first = await runStep(options)
    await using second = await runStep(options)
    expect([first.exitCode, second.exitCode]).toEqual([0, 1])
    expect(second.log).toContain('409')
    expect(artifactService.artifacts).toHaveLength(1)
  })

  it('refuses those who do not bring its token', async () => {
    const env = { ACTIONS_RUNTIME_TOKEN: `e30.${btoa('{"scp":"Actions.Results:a:b"}')}.x` }
    const { step } = await uploadWith(undefined, env)
    expect(step.log).toContain('(401)')
  })
})

describe('the artifact service, out of order', () => {
  it.each<[string, ArtifactFault, string]>([
    ['a conflict', { on: 'create', fault: 'conflict' }, 'already exists'],
    ['a status', { on: 'create', fault: 'status', status: 403 }, '(403)'],
    ['a cut connection', { on: 'create', fault: 'reset' }, 'ECONNRESET'],
    ['a refused blob', { on: 'blob', fault: 'status', status: 403 }, 'InjectedFault'],
    ['a status at the end', { on: 'finalize', fault: 'status', status: 400 }, '(400)'],
  ])('fails an upload by %s', async (_, fault, message) => {
    const { step } = await uploadWith(fault)
    expect(step.exitCode).toBe(1)
    expect(step.annotations).toMatchObject([{ level: 'error' }])
    expect(step.annotations[0]?.message).toContain(message)
  })

  it('recovers when a fault is used up', async () => {
    const { step, requests } = await uploadWith({ on: 'create', fault: 'html', times: 1 })
    expect(step.exitCode).toBe(0)
    expect(requests.slice(0, 2)).toEqual(['create', 'create'])
  })

  it('lets an upload hang, and closes all the same', async () => {
    await using action = await makeAction(upload())
    await using artifactService = await openArtifactService()
    artifactService.inject({ on: 'blob', fault: 'stall' })
    await using running = startStep({ action: action.folder, inputs: {}, artifactService })
    await running.waitForLine(/Beginning upload/)
    running.signal('SIGKILL')
    expect((await running.result).signal).toBe('SIGKILL')
    expect(artifactService.artifacts).toEqual([])
  })
})
