import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type ArtifactFault, openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { startStep } from '../../sandbox/runner/runner.ts'
import { type ClientProcess, openClientProcess } from './client-process.ts'
import { makeAction, toolkit } from './fixture-action.ts'

let clients: ClientProcess

beforeAll(() => {
  clients = openClientProcess()
})

afterAll(() => clients[Symbol.asyncDispose]())

/** Uploads two files by GitHub's own client and sets what that answers. */
const upload = (options = '{}', noiseBytes = 1024) => `
  const { mkdirSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  mkdirSync('folder')
  writeFileSync('report.txt', 'a report')
  writeFileSync('folder/noise.bin', randomBytes(${String(noiseBytes)}))
  const files = ['report.txt', 'folder/noise.bin']
  try {
    const answer = await artifact.uploadArtifact('report', files, '.', ${options})
    for (const name in answer) core.setOutput(name, answer[name])
  } catch (error) {
    core.setFailed(error.message)
  }`

async function uploadWith(fault: ArtifactFault | undefined, env: Record<string, string> = {}) {
  await using artifactService = await openArtifactService()
  if (fault) artifactService.inject(fault)
  const step = await clients.run(upload(), { artifactService, env })
  return { step, requests: artifactService.requests.map(({ call }) => call) }
}

describe('the artifact service, used by GitHub’s own client', () => {
  it('keeps every file whole, in one zip of several blocks', async () => {
    await using artifactService = await openArtifactService()
    const program = upload('{ retentionDays: 5 }', 9 * 1024 * 1024)
    const step = await clients.run(program, { artifactService })
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
    await using artifactService = await openArtifactService()
    const program = `
      process.getBuiltinModule('node:fs').writeFileSync('page.html', '<p>hello</p>')
      await artifact.uploadArtifact('ignored', ['page.html'], '.', { skipArchive: true })`
    const step = await clients.run(program, { artifactService })
    expect(step.artifacts).toMatchObject([{ name: 'page.html', retentionDays: undefined }])
    expect(step.artifacts[0]?.files['page.html']?.toString()).toBe('<p>hello</p>')
  })

  it('refuses those who do not bring its token', async () => {
    const env = { ACTIONS_RUNTIME_TOKEN: `e30.${btoa('{"scp":"Actions.Results:a:b"}')}.x` }
    const { step } = await uploadWith(undefined, env)
    expect(step.log).toContain('(401)')
  })
})

describe('the artifact service, out of order', () => {
  it('lets an upload hang, and closes all the same', async () => {
    await using action = await makeAction(`
      import artifact from ${JSON.stringify(toolkit.artifact)}
      import * as core from ${JSON.stringify(toolkit.core)}
${upload()}`)
    await using artifactService = await openArtifactService()
    artifactService.inject({ on: 'blob', fault: 'stall' })
    await using running = startStep({ action: action.folder, inputs: {}, artifactService })
    await running.waitForLine(/Beginning upload/)
    running.signal('SIGKILL')
    expect((await running.result).signal).toBe('SIGKILL')
    expect(artifactService.artifacts).toEqual([])
  })
})
