import { afterAll, beforeAll, expect, it } from '@jest/globals'
import tls from 'node:tls'
import { runAction } from '../__tests__/action/support/run-action.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../__tests__/support/temporary-folder.ts'
import { openSandbox } from '../sandbox/service/sandbox.ts'
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

const toThisMachine = (url: string) => url.replace('127.0.0.1', thisMachine)
const hostOf = (url: string) => new URL(toThisMachine(url)).host
const portOf = (url: string) => Number(new URL(url).port)

it('service and store are reached through a proxy, and only the proxy gets its password', async () => {
  await using store = await openAzure(certificate)
  await store.keep('result', { body: Buffer.from('[]'), contentType: 'application/json' })
  await store.keep('log', { body: Buffer.from('all well\n'), contentType: 'text/plain' })
  const links = { result: await store.link('result'), log: await store.link('log') }
  await using sandbox = await openSandbox({ tls: certificate })
  sandbox.script(
    'next',
    endedWith({ result: toThisMachine(links.result), log: toThisMachine(links.log) }),
  )
  const account = { name: 'runner', password: 'p4ssw0rd' }
  const ports = [sandbox.baseUrl, store.origin].map(portOf)
  await using proxy = await openProxy({ ports, account })

  await using step = await runAction({
    sandbox: { ...sandbox, baseUrl: toThisMachine(sandbox.baseUrl) },
    env: {
      https_proxy: `http://runner:p4ssw0rd@${proxy.host}`,
      NODE_EXTRA_CA_CERTS: certificate.certFile,
    },
  })

  expect([step.exitCode, step.annotations]).toEqual([0, []])
  expect(step.outputs).toMatchObject({ conclusion: 'success', result: '[]', log: 'all well\n' })
  const [service, blobs] = [hostOf(sandbox.baseUrl), hostOf(store.origin)]
  expect(await proxy.endAndReadTargets()).toEqual([service, service, blobs, blobs])
  for (const { headers } of sandbox.requests)
    expect(headers).not.toHaveProperty('proxy-authorization')
  expect(step.log).not.toContain(account.password)
})
