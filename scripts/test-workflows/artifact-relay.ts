import { once } from 'node:events'
import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type LoopbackServer, openLoopbackServer } from '../../sandbox/runner/loopback-server.ts'

/**
 * Stands between the actions and act's artifact server for what act 0.2.87 and the artifact client
 * 6.2 do not agree on. act refuses requests with a field that its copy of the protocol does not
 * know, `mime_type`; and its upload addresses end a value with a bare `=`, which the client drops.
 * GitHub's own service does neither. All else passes as it is.
 */
export function openArtifactRelay(target: string): Promise<LoopbackServer> {
  return openLoopbackServer((incoming, outgoing) => relay(target, incoming, outgoing))
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
