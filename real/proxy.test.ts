import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { theError } from '../__tests__/action/support/facts.ts'
import { runAction } from '../__tests__/action/support/run-action.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../__tests__/support/temporary-folder.ts'
import { openSandbox, type Sandbox } from '../sandbox/service/sandbox.ts'
import { openAzure } from './parts/azure.ts'
import { makeCertificate, type Certificate } from './parts/certificate.ts'
import { openProxy } from './parts/proxy.ts'
import { endedWith } from './parts/scripts.ts'

// Proxies apply to this address of the machine, unlike to 127.0.0.1. It needs no name server.
const thisMachine = '0.0.0.0'

let folder: TemporaryFolder
let certificate: Certificate
const authorities = tls.getCACertificates('default')

beforeAll(async () => {
  folder = await makeTemporaryFolder()
  certificate = await makeCertificate(folder.path, [thisMachine, '127.0.0.1'])
  tls.setDefaultCACertificates([...authorities, certificate.cert])
})
afterAll(async () => {
  tls.setDefaultCACertificates(authorities)
  await folder[Symbol.asyncDispose]()
})

/** The service has no files, because the sandbox's links would lead to 127.0.0.1. */
const withoutFiles = [{ finished: true, result_url: null, logs_url: null }]

const under = (address: string, url: string) => url.replace('127.0.0.1', address)
const hostOf = (url: string) => new URL(under(thisMachine, url)).host
const portOf = (url: string) => Number(new URL(url).port)

function runThrough(proxyAddress: string, sandbox: Sandbox, env: Record<string, string> = {}) {
  return runAction({
    sandbox: { ...sandbox, baseUrl: under(thisMachine, sandbox.baseUrl) },
    env: { https_proxy: proxyAddress, NODE_EXTRA_CA_CERTS: certificate.certFile, ...env },
  })
}

describe('behind a forward proxy', () => {
  it('the service and the store are reached through it', async () => {
    await using store = await openAzure(certificate)
    await store.keep('result', { body: Buffer.from('[]'), contentType: 'application/json' })
    await store.keep('log', { body: Buffer.from('all well\n'), contentType: 'text/plain' })
    const links = { result: await store.link('result'), log: await store.link('log') }
    await using sandbox = await openSandbox({ tls: certificate })
    sandbox.script(
      'next',
      endedWith({
        result: under(thisMachine, links.result),
        log: under(thisMachine, links.log),
      }),
    )
    await using proxy = await openProxy({ ports: [sandbox.baseUrl, store.origin].map(portOf) })

    await using step = await runThrough(`http://${proxy.host}`, sandbox)

    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs).toMatchObject({ conclusion: 'success', result: '[]', log: 'all well\n' })
    const [service, blobs] = [hostOf(sandbox.baseUrl), hostOf(store.origin)]
    expect(await proxy.asked()).toEqual([service, service, blobs, blobs])
  })

  it('with accounts gets name and password, and nothing else does', async () => {
    await using sandbox = await openSandbox({ tls: certificate })
    sandbox.script('next', withoutFiles)
    const account = { name: 'runner', password: 'p4ssw0rd' }
    await using proxy = await openProxy({ ports: [portOf(sandbox.baseUrl)], account })

    await using step = await runThrough(`http://runner:p4ssw0rd@${proxy.host}`, sandbox)

    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect((await proxy.asked()).length).toBe(sandbox.requests.length)
    for (const { headers } of sandbox.requests)
      expect(headers).not.toHaveProperty('proxy-authorization')
    expect(step.log).not.toContain(account.password)
  })

  it.each([thisMachine, '*', `other.test, ${thisMachine}`])(
    'with no_proxy=%s the service is reached directly',
    async (no_proxy) => {
      await using sandbox = await openSandbox({ tls: certificate })
      sandbox.script('next', withoutFiles)
      await using proxy = await openProxy({ ports: [portOf(sandbox.baseUrl)] })

      await using step = await runThrough(`http://${proxy.host}`, sandbox, { no_proxy })

      expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
      expect(await proxy.asked()).toEqual([])
    },
  )
})

describe('a proxy that refuses the step', () => {
  it.each([
    ['401, as tinyproxy answers a wrong password', 'runner:wr0ng@', '401'],
    ['407, as it answers a missing one', '', '407'],
  ])('%s: nothing was started, and five tries were made', async (_, credentials, status) => {
    await using sandbox = await openSandbox({ tls: certificate })
    const account = { name: 'runner', password: 'p4ssw0rd' }
    await using proxy = await openProxy({ ports: [portOf(sandbox.baseUrl)], account })

    await using step = await runThrough(`http://${credentials}${proxy.host}`, sandbox)

    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe('text-note was not started')
    expect(theError(step).message).toContain(status)
    expect(step.log).not.toContain('wr0ng')
    expect(await proxy.asked()).toEqual(Array(5).fill(hostOf(sandbox.baseUrl)))
    expect(sandbox.requests).toEqual([])
  })
})
