import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { json, post } from './caller.ts'

const valid = { region: 'eu-west-1', docker_version: '3.13', name: 'reports' }

function create(sandbox: Sandbox, request: unknown) {
  return post(sandbox, '/api/create-project', JSON.stringify(request))
}

describe('create-project', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.close())

  it('creates a project, which then exists without automations', async () => {
    await using fresh = await openSandbox()
    const created = await create(fresh, valid)
    expect(created.status).toBe(200)
    expect(json(created)).toEqual({ message: expect.stringContaining('created successfully') })
    const start = await post(fresh, '/api/start-automation/reports/quiet', '{}')
    expect(json(start)).toEqual({ message: expect.stringContaining('automation') })
  })

  it.each([
    [{ name: 'reports' }, 'region, docker_version'],
    [{ ...valid, region: '' }, 'region'],
    [{ ...valid, docker_version: null }, 'docker_version'],
  ])('%j: names the missing fields', async (request, fields) => {
    const answer = await create(sandbox, request)
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ error: `Missing required field(s): ${fields}` })
  })

  it.each([
    [{ ...valid, name: 'Reports' }, /must start with a lowercase letter or digit/],
    [{ ...valid, name: 'reports\n' }, /must start with/],
    [{ ...valid, name: 7 }, /must start with/],
    [[valid], /must be a JSON object/],
    // If there are several problems, the answer names the first one in the documented order.
    [{ region: 'mars', docker_version: '2.7', name: 'demo' }, /region/],
    [{ ...valid, docker_version: '2.7', name: 'demo' }, /image/],
  ])('%j: refused under `message`', async (request, words) => {
    const answer = await create(sandbox, request)
    expect(answer.status).toBe(400)
    expect(json(answer)).toEqual({ message: expect.stringMatching(words) })
  })

  it('checks the limit of the plan after everything else', async () => {
    const projects = { demo: {}, sales: {}, shop: {}, hr: {} }
    await using small = await openSandbox({ projects })
    expect((await create(small, valid)).status).toBe(200)
    const over = await create(small, { ...valid, name: 'third' })
    expect(over.status).toBe(400)
    expect(json(over)).toEqual({ message: expect.stringContaining('upgrade your plan') })
    expect(json(await create(small, valid))['message']).toContain('already exists')
    expect(json(await create(small, { ...valid, name: 'NO' }))['message']).toContain('lowercase')
  })
})
