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

// Proxies apply to this address of the machine, but not to 127.0.0.1. It needs no name server.
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

const toThisMachine = (url: string) => url.replace('127.0.0.1', thisMachine)
const hostOf = (url: string) => new URL(toThisMachine(url)).host
const portOf = (url: string) => Number(new URL(url).port)

function runThrough(
  proxyAddress: string,
  sandbox: Sandbox,
  env: Record<string, string> = {},
  inputs: Record<string, string> = {},
) {
  return runAction({
    sandbox: { ...sandbox, baseUrl: toThisMachine(sandbox.baseUrl) },
    inputs,
    env: { https_proxy: proxyAddress, NODE_EXTRA_CA_CERTS: certificate.certFile, ...env },
  })
}

describe('behind a forward proxy', () => {
  it('service and store are reached through the proxy', async () => {
    await using store = await openAzure(certificate)
    await store.keep('result', { body: Buffer.from('[]'), contentType: 'application/json' })
    await store.keep('log', { body: Buffer.from('all well\n'), contentType: 'text/plain' })
    const links = { result: await store.link('result'), log: await store.link('log') }
    await using sandbox = await openSandbox({ tls: certificate })
    sandbox.script(
      'next',
      endedWith({
        result: toThisMachine(links.result),
        log: toThisMachine(links.log),
      }),
    )
    await using proxy = await openProxy({ ports: [sandbox.baseUrl, store.origin].map(portOf) })

    await using step = await runThrough(`http://${proxy.host}`, sandbox)

    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs).toMatchObject({ conclusion: 'success', result: '[]', log: 'all well\n' })
    const [service, blobs] = [hostOf(sandbox.baseUrl), hostOf(store.origin)]
    expect(await proxy.endAndReadTargets()).toEqual([service, service, blobs, blobs])
  })

  it('only the proxy receives its name and password', async () => {
    await using sandbox = await openSandbox({ tls: certificate })
    sandbox.script('next', withoutFiles)
    const account = { name: 'runner', password: 'p4ssw0rd' }
    await using proxy = await openProxy({ ports: [portOf(sandbox.baseUrl)], account })

    await using step = await runThrough(`http://runner:p4ssw0rd@${proxy.host}`, sandbox)

    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect((await proxy.endAndReadTargets()).length).toBe(sandbox.requests.length)
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
      expect(await proxy.endAndReadTargets()).toEqual([])
    },
  )
})

describe('a proxy that refuses the step', () => {
  it.each([
    ['401 (a wrong password): the step tries until its timeout', 'runner:wr0ng@', '401', true],
    ['407 (a missing password): the step tries once', '', '407', false],
  ])('%s, and starts nothing', async (_, credentials, status, triesAgain) => {
    await using sandbox = await openSandbox({ tls: certificate })
    const account = { name: 'runner', password: 'p4ssw0rd' }
    await using proxy = await openProxy({ ports: [portOf(sandbox.baseUrl)], account })

    await using step = await runThrough(
      `http://${credentials}${proxy.host}`,
      sandbox,
      {},
      { timeout: '5s' },
    )

    expect(step.exitCode).toBe(1)
    expect(theError(step).title).toBe('text-note was not started')
    expect(theError(step).message).toContain(status)
    expect(step.log).not.toContain('wr0ng')
    const targets = await proxy.endAndReadTargets()
    expect(targets.length > 1).toBe(triesAgain)
    expect(new Set(targets)).toEqual(new Set([hostOf(sandbox.baseUrl)]))
    expect(sandbox.requests).toEqual([])
  })
})
