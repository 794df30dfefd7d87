import { describe, expect, it } from '@jest/globals'
import { json, serveRemotely } from '../support/remote-service.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const started = json({ execution_id: 'e-1', message: 'started' })

describe('https_proxy', () => {
  // `new URL` reads `localhost:3128` as an address with the scheme `localhost:`.
  it.each(['localhost'])('without a scheme means http, as for curl: %s', async (host) => {
    await using remote = await serveRemotely(() => started)
    const env = { ...remote.env, https_proxy: `${host}:${new URL(remote.proxy.url).port}` }
    await using step = await runAction({ ...remote, action: 'start', env })
    expect([step.exitCode, step.outputs['execution-id']]).toEqual([0, 'e-1'])
    expect(remote.proxy.asked).toMatchObject([{ target: 'service.test:443' }])
  })

  it('with a user and a password works, and Node prints no warnings', async () => {
    await using remote = await serveRemotely(() => started)
    const https_proxy = remote.proxy.url.replace('//', '//me:s%40cret@')
    // The bundles are in node_modules. Without this variable, Node shows no deprecations there.
    const env = { ...remote.env, https_proxy, NODE_PENDING_DEPRECATION: '1' }
    await using step = await runAction({ ...remote, action: 'start', env })
    expect(step.exitCode).toBe(0)
    expect(remote.proxy.asked[0]?.authorization).toMatch(/^Basic /)
    expect(step.log).not.toMatch(/deprecat|\(node:\d+\)|--trace/i)
  })
})
const inputs = {
  start: {},
  batch: { seeds: '[{}]' },
  wait: { 'execution-id': 'e-1' },
  'create-project': { region: 'eu', 'docker-version': '3', name: 'demo' },
}

describe('the check of certificates is switched off', () => {
  it.each([undefined, 'start', 'wait', 'batch', 'create-project'] as const)(
    'one warning of %s',
    async (action) => {
      await using remote = await serveRemotely(() => started)
      const env = { ...remote.env, NODE_TLS_REJECT_UNAUTHORIZED: '0', https_proxy: 'DIRECT' }
      const given = action ? { action, inputs: inputs[action] } : {}
      await using step = await runAction({ ...remote, ...given, env })
      const warnings = annotationsOf(step, 'warning').map(({ message }) => message)
      expect(warnings.filter((words) => words.includes('Certificates are not'))).toHaveLength(1)
      expect(theError(step).message).toContain('DIRECT is not an address')
    },
  )
})

describe('a broken https_proxy is reported, and nothing is sent', () => {
  it.each([undefined, 'start', 'wait', 'create-project'] as const)('by %s', async (action) => {
    await using remote = await serveRemotely(() => started)
    const env = { ...remote.env, https_proxy: 'http://me:x#pa55word@proxy.corp:3128' }
    const given = action ? { action, inputs: inputs[action] } : {}
    await using step = await runAction({ ...remote, ...given, env })
    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe('The proxy of this runner is not usable')
    expect(theError(step).message).toMatch(/^Nothing was sent, because .*https_proxy/)
    expect(step.log).not.toContain('pa55')
    const conclusions = { run: 'not-started', wait: 'unknown', start: undefined }
    expect(step.outputs['conclusion']).toBe(
      action === 'create-project' ? undefined : conclusions[action ?? 'run'],
    )
    expect(remote.server.connections).toEqual([])
  })
})
