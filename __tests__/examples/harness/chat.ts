import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { openLoopbackServer } from '../../../sandbox/http/loopback-server.ts'

/** The incoming webhook of a chat. */
export interface Chat extends AsyncDisposable {
  /** A secret, because anybody who knows the address can post. */
  url: string
  /** The accepted texts, in order. */
  texts: string[]
}

const secretPath = 'services/T00000000/B00000000/a-secret-of-the-chat'
const messageSchema = z.object({ text: z.string() })

/** Opens a chat that accepts `{ "text": "…" }` as JSON, and refuses other requests, as Slack does. */
export async function openChat(): Promise<Chat> {
  const texts: string[] = []
  const server = await openLoopbackServer(async (request, response) => {
    const body = await text(request)
    const isJson = request.headers['content-type'] === 'application/json'
    if (request.method !== 'POST' || request.url !== `/${secretPath}` || !isJson) {
      response.writeHead(400).end('invalid_payload')
      return
    }
    texts.push(messageSchema.parse(JSON.parse(body)).text)
    response.end('ok')
  })
  return { ...server, url: server.url + secretPath, texts }
}
