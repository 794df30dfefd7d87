import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openGithubApi } from '../../sandbox/runner/github-api.ts'
import { root } from '../../scripts/docs/action-files.ts'
import { openReceiver, receiverFile, secret, startReceiver } from './harness/receiver.ts'
import { until } from '../action/support/until.ts'
import { send } from '../sandbox/caller.ts'

const sha = '6dcb09b5b57875f334f61aebed695e2e4193db5e'
const address = `/runs/4711/${sha}`
const post = (url: string, headers: Record<string, string>, body = '{}') =>
  send(url, { method: 'POST', headers, body })

describe('the webhook receiver', () => {
  it.each([
    ['without the secret', 401, address, {}],
    ['with another secret', 401, address, { 'x-receiver-secret': `${secret}x` }],
    ['with the secret twice', 401, address, { 'x-receiver-secret': `${secret}, ${secret}` }],
    ['without a run id', 404, `/runs//${sha}`, { 'x-receiver-secret': secret }],
    ['for an invalid commit', 404, '/runs/4711/main', { 'x-receiver-secret': secret }],
    ['with more in its address', 404, `${address}?ref=main`, { 'x-receiver-secret': secret }],
  ])('refuses a request %s', async (_, status, where, headers) => {
    await using github = await openGithubApi()
    await using receiver = await openReceiver(github)
    expect(await post(receiver.url + where, headers)).toMatchObject({ status })
    expect(github.requests).toEqual([])
  })

  it('reports that GitHub refused the dispatch', async () => {
    await using github = await openGithubApi()
    await using receiver = await openReceiver(github)
    github.inject({ fault: 'no-permission', times: 1 })
    const headers = { 'x-receiver-secret': secret }
    expect(await post(receiver.url + address, headers)).toMatchObject({ status: 502 })
    expect(await post(receiver.url + address, headers)).toMatchObject({ status: 202 })
  })

  it.each(['server-error', 'unavailable', 'reset'] as const)(
    'sends the dispatch again if GitHub may take it later (%s)',
    async (fault) => {
      await using github = await openGithubApi()
      await using receiver = await openReceiver(github)
      github.inject({ fault, times: 1 })
      const headers = { 'x-receiver-secret': secret }
      expect(await post(receiver.url + address, headers)).toMatchObject({ status: 202 })
      expect(github.requests).toHaveLength(2)
    },
  )

  it('takes only POST', async () => {
    await using github = await openGithubApi()
    await using receiver = await openReceiver(github)
    const headers = { 'x-receiver-secret': secret }
    expect(await send(receiver.url + address, { method: 'GET', headers })).toMatchObject({
      status: 405,
    })
    expect(github.requests).toEqual([])
  })

  it('starts nothing for an incomplete delivery, and keeps running', async () => {
    await using github = await openGithubApi()
    await using receiver = await openReceiver(github)
    const head = `POST ${address} HTTP/1.1\r\nHost: a\r\nX-Receiver-Secret: ${secret}`
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1')
    await new Promise((written) => {
      socket.write(`${head}\r\nContent-Length: 100\r\n\r\nhalf`, written)
    })
    socket.destroy()
    const headers = { 'x-receiver-secret': secret }
    expect(await post(receiver.url + address, headers)).toMatchObject({ status: 202 })
    expect(github.requests).toHaveLength(1)
  })

  it('reports that GitHub cannot be reached', async () => {
    await using github = await openGithubApi()
    await using receiver = await openReceiver(github)
    await github.close()
    const headers = { 'x-receiver-secret': secret }
    void post(receiver.url + address, headers).catch(() => undefined)
    await until(() => receiver.printed().includes("Run 4711: GitHub's answer was ECONNREFUSED"))
  })

  it('prints neither secret nor token', async () => {
    await using github = await openGithubApi()
    await using receiver = await openReceiver(github)
    github.inject({ fault: 'no-permission', times: 1 })
    for (const given of [secret, `${secret}x`]) {
      await post(`${receiver.url}${address}`, { 'x-receiver-secret': given })
    }
    await receiver.close()
    expect(receiver.printed()).toContain('Answered 401')
    expect(receiver.printed()).not.toContain(secret)
    expect(receiver.printed()).not.toContain(github.token)
  })

  it('does not start without its settings, and names them', async () => {
    const receiver = startReceiver({ GITHUB_TOKEN: 'token' })
    await receiver.ended
    expect(receiver.process.exitCode).toBe(1)
    expect(receiver.printed()).toBe('Not set: RECEIVER_SECRET, GITHUB_REPOSITORY\n')
  })

  it('is short, and needs only Node, as its page says', async () => {
    const program = await readFile(path.join(root, receiverFile), 'utf8')
    expect(program.trimEnd().split('\n').length).toBeLessThan(75)
    const imported = [...program.matchAll(/from '(.*?)'/g)].map(([, name]) => name)
    expect(imported.filter((name) => !name?.startsWith('node:'))).toEqual([])
  })
})
