import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A host other than the service. It answers every request alike and records the requests. */
export interface OtherHost extends AsyncDisposable {
  url: string
  requests: { path: string; headers: IncomingHttpHeaders }[]
}

export async function openOtherHost(body: string | Buffer = ''): Promise<OtherHost> {
  const requests: OtherHost['requests'] = []
  const server = createServer(({ url = '', headers }, response) => {
    requests.push({ path: url, headers })
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
