import { readFile, stat } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import type { Execution } from './execution.ts'
import { parseJson, type AcceptedStart } from './start-request.ts'

/** An attempt to send the result of an execution to its webhook. */
export interface WebhookDelivery {
  /** The receiver's HTTP status. Undefined if the receiver could not be reached. */
  status: number | undefined
}

// In bytes. A larger result is sent as null.
const maxResult = 256 * 1024
const timeout = 5_000

/**
 * Sends results to webhooks. Source: docs/contributing/service.md, "Webhook delivery". The real
 * method, body and repetition are not known. The sandbox sends one POST.
 */
export class Webhooks {
  readonly deliveries: WebhookDelivery[] = []
  readonly #closing = new AbortController()

  async deliver(execution: Execution, start: AcceptedStart): Promise<void> {
    const url = start.webhook
    if (url === undefined) return
    const body = JSON.stringify({
      execution: execution.id,
      project: execution.project,
      automation: execution.automation,
      status: execution.flags,
      result: await resultOf(execution),
    })
    const posted = post(url, start.webhookHeaders, body, this.#closing.signal)
    this.deliveries.push({ status: await posted.catch(() => undefined) })
  }

  /** Cancels running and future deliveries. */
  close(): void {
    this.#closing.abort()
  }
}

async function resultOf({ folder, resultType }: Execution): Promise<unknown> {
  const file = join(folder, 'result')
  if ((await stat(file)).size > maxResult) return null
  if (resultType === 'application/json') return parseJson(await readFile(file, 'utf8')) ?? null
  return resultType.startsWith('text/') ? readFile(file, 'utf8') : null
}

function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  closing: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestHttps : requestHttp
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeout)])
    const all = { 'content-type': 'application/json', ...headers }
    request(url, { method: 'POST', headers: all, agent: false, signal }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end(body)
  })
}
