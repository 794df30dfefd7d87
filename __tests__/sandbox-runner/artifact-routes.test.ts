import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from '@jest/globals'
import { type ArtifactService, openArtifactService } from '../../sandbox/runner/artifact-service.ts'

const job = { workflow_run_backend_id: 'run', workflow_job_run_backend_id: 'job' }

function call(service: ArtifactService, method: string, body: object): Promise<Response> {
  return fetch(
    new URL(`twirp/github.actions.results.api.v1.ArtifactService/${method}`, service.url),
    {
      method: 'POST',
      headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...job, name: 'report', ...body }),
    },
  )
}

async function uploadText(service: ArtifactService, text: string): Promise<void> {
  const created = await call(service, 'CreateArtifact', { version: 7, mime_type: 'text/plain' })
  const { signed_upload_url: address } = (await created.json()) as { signed_upload_url: string }
  const put = await fetch(address, { method: 'PUT', body: text })
  expect(put.status).toBe(201)
}

describe('the artifact service', () => {
  it('publishes an upload when it is finalized with its true size', async () => {
    await using service = await openArtifactService()
    await uploadText(service, 'hello')
    const answer = await call(service, 'FinalizeArtifact', { size: '5' })
    expect(await answer.json()).toEqual({ ok: true, artifact_id: '4242' })
    expect(service.artifacts[0]?.files['report']?.toString()).toBe('hello')
  })

  it.each([
    ['size', { size: '6' }],
    ['hash', { size: '5', hash: 'sha256:0000' }],
  ])('refuses the wrong %s and publishes nothing', async (_, claim) => {
    await using service = await openArtifactService()
    await uploadText(service, 'hello')
    expect((await call(service, 'FinalizeArtifact', claim)).status).toBe(400)
    expect(service.artifacts).toEqual([])
  })

  it('knows nothing of what was never uploaded', async () => {
    await using service = await openArtifactService()
    expect((await call(service, 'FinalizeArtifact', { size: '5' })).status).toBe(404)
    expect((await call(service, 'ListArtifacts', {})).status).toBe(404)
  })

  it('takes bytes only at a signed address', async () => {
    await using service = await openArtifactService()
    const created = await call(service, 'CreateArtifact', { version: 7 })
    const { signed_upload_url: address } = (await created.json()) as { signed_upload_url: string }
    const unsigned = address.replace(/sig=.*/, 'sig=guessed')
    expect((await fetch(unsigned, { method: 'PUT', body: 'hello' })).status).toBe(403)
  })

  it('closes also while it lets a request hang', async () => {
    const service = await openArtifactService()
    service.inject({ on: 'create', fault: 'stall' })
    const hanging = call(service, 'CreateArtifact', { version: 7 })
    while (service.requests.length === 0) await turn()
    await Promise.all([service.close(), expect(hanging).rejects.toThrow('fetch failed')])
  })

  it('can be closed twice', async () => {
    const service = await openArtifactService()
    await service.close()
    await expect(service.close()).resolves.toBeUndefined()
  })
})
