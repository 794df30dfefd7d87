import { text } from 'node:stream/consumers'
import { openLoopbackServer } from '../../sandbox/runner/loopback-server.ts'

/** The incoming webhook of a chat. */
export interface Chat extends AsyncDisposable {
  /** A secret: who knows it can post. */
  url: string
  /** The texts that it took, in order. */
  texts: string[]
}

const secretPath = 'services/T00000000/B00000000/a-secret-of-the-chat'

/** Takes what Slack takes: `{ "text": "…" }` as JSON; all else is refused, with Slack's words. */
export async function openChat(): Promise<Chat> {
  const texts: string[] = []
  const server = await openLoopbackServer(async (request, response) => {
    const message = textOf(await text(request))
    const isJson = request.headers['content-type'] === 'application/json'
    const isRight = request.method === 'POST' && request.url === `/${secretPath}` && isJson
    if (!isRight || message === undefined) {
      response.writeHead(400).end('invalid_payload')
      return
    }
    texts.push(message)
    response.writeHead(200).end('ok')
  })
  return {
    url: server.url + secretPath,
    texts,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function textOf(body: string): string | undefined {
  try {
    const message: unknown = JSON.parse(body)
    if (typeof message !== 'object' || message === null || !('text' in message)) return undefined
    return typeof message.text === 'string' ? message.text : undefined
  } catch {
    return undefined
  }
}
