import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * Stands between the actions and act's artifact server for what act 0.2.87 and the artifact client
 * 6.2 do not agree on. act refuses requests with a field that its copy of the protocol does not
 * know, `mime_type`; and its upload addresses end a value with a bare `=`, which the client drops.
 * GitHub's own service does neither. All else passes as it is.
 */
export async function openArtifactRelay(
  target: string,
): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((incoming, outgoing) => {
    relay(target, incoming, outgoing).catch((error: unknown) => {
      outgoing.writeHead(502).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The relay has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await Promise.resolve()
    },
  }
}

async function relay(target: string, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, url = '/', headers } = incoming
  const body = withoutUnknownField(await text(incoming))
  const { 'content-type': type, authorization } = headers
  const forward = request(new URL(url, target), {
    ...(method !== undefined && { method }),
    headers: {
      'content-type': type ?? 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(authorization !== undefined && { authorization }),
    },
  })
  forward.end(body)
  const [answer] = (await once(forward, 'response')) as [IncomingMessage]
  const answered = withEscapedAddress(await text(answer))
  outgoing.writeHead(answer.statusCode ?? 502, { 'content-type': 'application/json' }).end(answered)
}

function withoutUnknownField(body: string): string {
  return body.replace(/,\s*"mime_?[tT]ype"\s*:\s*"[^"]*"/, '')
}

function withEscapedAddress(answer: string): string {
  return answer.replace(/(?<="signed_?upload_?url"\s*:\s*")[^"]*/i, (address) => {
    const { origin, pathname, searchParams } = new URL(address)
    const query = [...searchParams].map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return `${origin}${pathname}?${query.join('&')}`
  })
}
