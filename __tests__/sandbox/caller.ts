/** Sends requests to the sandbox exactly as given, and returns the whole answer. */
import { request, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Sandbox } from '../../sandbox/service/sandbox.ts'

export interface Received {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  text: string
}

export interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Sends one request on its own connection. Rejects if no status line is received. */
export function send(url: string, sent: Sent = {}): Promise<Received> {
  const { method = 'GET', headers = {}, body } = sent
  const { origin } = new URL(url)
  const options = { method, headers, agent: false, path: url.slice(origin.length) }
  return new Promise((resolve, reject) => {
    request(origin, options, (response) => {
      const { statusCode: status = 0, headers } = response
      buffer(response).then((bytes) => {
        resolve({ status, headers, bytes, text: bytes.toString() })
      }, reject)
    })
      .on('error', reject)
      .end(body)
  })
}

export function credentials({ apiToken, apiKey }: { apiToken: string; apiKey: string }) {
  return { authorization: `Token ${apiToken}`, 'x-api-key': apiKey }
}

export function post(sandbox: Sandbox, path: string, body: string | Buffer, headers = {}) {
  const all = { ...credentials(sandbox), 'content-type': 'application/json', ...headers }
  return send(sandbox.baseUrl + path, { method: 'POST', headers: all, body })
}

export function start(sandbox: Sandbox, automation: string, body: object | string | Buffer = {}) {
  const asIs = typeof body === 'string' || Buffer.isBuffer(body)
  const path = `/api/start-automation/demo/${automation}`
  return post(sandbox, path, asIs ? body : JSON.stringify(body))
}

export function check(sandbox: Sandbox, id: string, headers = credentials(sandbox)) {
  return send(`${sandbox.baseUrl}/api/v4/execution/${id}/status`, { headers })
}

export interface Finished {
  id: string
  record: Record<string, unknown>
  resultUrl: string
  logsUrl: string
}

/** Starts an automation, waits for its end, and checks it once. */
export async function run(
  sandbox: Sandbox,
  automation: string,
  body: object | string = {},
): Promise<Finished> {
  await start(sandbox, automation, body)
  const execution = sandbox.executions.at(-1)
  if (!execution) throw new Error('nothing was started')
  await execution.ended
  const record = json(await check(sandbox, execution.id))
  const { result_url: resultUrl, logs_url: logsUrl } = record
  return { id: execution.id, record, resultUrl: String(resultUrl), logsUrl: String(logsUrl) }
}

export function json({ text }: Received): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>
}
