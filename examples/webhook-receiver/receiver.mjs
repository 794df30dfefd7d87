// Receives the webhook that the service sends after a run, and starts a workflow by repository_dispatch.
// README.md in this folder says how to use it. Needs Node 20 or later, and no packages.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, STATUS_CODES } from 'node:http'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'

const { RECEIVER_SECRET, GITHUB_TOKEN, GITHUB_REPOSITORY } = process.env
const { GITHUB_API_URL = 'https://api.github.com', HOST = '127.0.0.1', PORT = '8080' } = process.env
const required = ['RECEIVER_SECRET', 'GITHUB_TOKEN', 'GITHUB_REPOSITORY']
const missing = required.filter((name) => !process.env[name])
if (missing.length > 0) {
  console.error(`Not set: ${missing.join(', ')}`)
  process.exit(1)
}

const largestBody = 10 * 1024 * 1024
const timeouts = { headersTimeout: 10_000, requestTimeout: 30_000 }
const digest = (text) => createHash('sha256').update(text).digest()

/** Returns the HTTP status of the answer. Drops the body, because its format is not documented. */
async function receive(request) {
  if (request.method !== 'POST') return 405
  // Digests have equal lengths, and their comparison takes the same time for any difference.
  const given = request.headers['x-receiver-secret'] ?? ''
  if (!timingSafeEqual(digest(given), digest(RECEIVER_SECRET))) return 401
  const [, runId, sha] = /\/runs\/([0-9]{1,20})\/([0-9a-f]{40})$/.exec(request.url) ?? []
  if (runId === undefined) return 404
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    if ((size += chunk.length) > largestBody) return 413
  }
  return dispatch({ run_id: runId, sha })
}

/** Sends the event. Sends it again for 30 seconds, or longer if GitHub is slow, while that may help. */
async function dispatch(client_payload) {
  for (let pause = 1_000; ; pause *= 2) {
    const status = await send(client_payload)
    console.log(`Run ${client_payload.run_id}: GitHub's answer was ${status}`)
    if (status === 204) return 202
    const mayPass = typeof status === 'string' || status === 429 || status >= 500
    if (!mayPass || pause > 16_000) return 502
    await delay(pause)
  }
}

/** Returns the status of GitHub's answer, or the name of an error. */
async function send(client_payload) {
  // Logs only the name of an error. Its message could quote a header.
  const answer = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/dispatches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${GITHUB_TOKEN}`, accept: 'application/vnd.github+json' },
    body: JSON.stringify({ event_type: 'automation-ended', client_payload }),
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
  }).catch((error) => ({ status: error.cause?.code ?? error.name }))
  await answer.body?.cancel()
  return answer.status
}

const server = createServer(timeouts, async (request, response) => {
  // A request that was cut off gets no answer.
  const status = await receive(request).catch(() => response.destroy())
  if (response.destroyed) return
  console.log(`Answered ${status} (${STATUS_CODES[status]})`)
  response.writeHead(status, { connection: 'close' }).end(`${STATUS_CODES[status]}\n`)
})
server.listen(Number(PORT), HOST, () => console.log(`Listening on port ${server.address().port}`))
process.once('SIGTERM', () => server.close())
