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

/** Opens a receiver, and GitHub's API behind it. `deliver` sends a request as the service does. */
async function open() {
  await using cleanup = new AsyncDisposableStack()
  const github = cleanup.use(await openGithubApi())
  const receiver = cleanup.use(await openReceiver(github))
  const kept = cleanup.move()
  return {
    github,
    receiver,
    deliver: (given: string | undefined = secret, path = address, method = 'POST') => {
      const headers = { ...(given !== '' && { 'x-receiver-secret': given }) }
      return send(receiver.url + path, {
        method,
        headers,
        ...(method === 'POST' && { body: '{}' }),
      })
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

describe('the webhook receiver', () => {
  it.each([
    ['without the secret', 401, address, ''],
    ['with another secret', 401, address, `${secret}x`],
    ['with the secret twice', 401, address, `${secret}, ${secret}`],
    ['without a run id', 404, `/runs//${sha}`, secret],
    ['for an invalid commit', 404, '/runs/4711/main', secret],
    ['with more in its address', 404, `${address}?ref=main`, secret],
  ])('refuses a request %s', async (_, status, path, given) => {
    await using opened = await open()
    expect(await opened.deliver(given, path)).toMatchObject({ status })
    expect(opened.github.requests).toEqual([])
  })

  it('reports that GitHub refused the dispatch', async () => {
    await using opened = await open()
    opened.github.inject({ fault: 'no-permission', times: 1 })
    expect(await opened.deliver()).toMatchObject({ status: 502 })
    expect(await opened.deliver()).toMatchObject({ status: 202 })
  })

  it.each(['server-error', 'unavailable', 'reset'] as const)(
    'sends the dispatch again if GitHub may take it later (%s)',
    async (fault) => {
      await using opened = await open()
      opened.github.inject({ fault, times: 1 })
      expect(await opened.deliver()).toMatchObject({ status: 202 })
      expect(opened.github.requests).toHaveLength(2)
    },
  )

  it('takes only POST', async () => {
    await using opened = await open()
    expect(await opened.deliver(secret, address, 'GET')).toMatchObject({ status: 405 })
    expect(opened.github.requests).toEqual([])
  })

  it('starts nothing for an incomplete delivery, and keeps running', async () => {
    await using opened = await open()
    const head = `POST ${address} HTTP/1.1\r\nHost: a\r\nX-Receiver-Secret: ${secret}`
    const socket = connect(Number(new URL(opened.receiver.url).port), '127.0.0.1')
    await new Promise((written) => {
      socket.write(`${head}\r\nContent-Length: 100\r\n\r\nhalf`, written)
    })
    socket.destroy()
    expect(await opened.deliver()).toMatchObject({ status: 202 })
    expect(opened.github.requests).toHaveLength(1)
  })

  it('reports that GitHub cannot be reached', async () => {
    await using opened = await open()
    await opened.github.close()
    void opened.deliver().catch(() => undefined)
    const line = "Run 4711: GitHub's answer was ECONNREFUSED"
    await until(() => opened.receiver.printed().includes(line))
  })

  it('prints neither secret nor token', async () => {
    await using opened = await open()
    const { github, receiver } = opened
    github.inject({ fault: 'no-permission', times: 1 })
    for (const given of [secret, `${secret}x`]) await opened.deliver(given)
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
