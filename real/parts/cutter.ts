import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'

/** A forwarder to a store. It cuts the first answer, and forwards later answers whole. */
export interface Cutter extends AsyncDisposable {
  origin: string
  /** The first bytes of each connection, with the head of the request. */
  requests: string[]
  /** The first bytes of each answer. */
  answers: string[]
  [Symbol.asyncDispose](): Promise<void>
}

export interface Cut {
  /** How many bytes of the first answer are forwarded, including its head. */
  after: number
  /** Called after the cut, before the client sees the cut. */
  meanwhile?: () => Promise<void>
}

export async function openCutter(storeOrigin: string, cut: Cut): Promise<Cutter> {
  const { port: storePort } = new URL(storeOrigin)
  const requests: string[] = []
  const answers: string[] = []
  const sockets: Socket[] = []
  const server = net.createServer((client) => {
    const store = net.connect(Number(storePort), '127.0.0.1')
    sockets.push(client, store)
    const isFirst = sockets.length === 2
    for (const socket of [client, store]) socket.on('error', () => undefined)
    client.once('data', (head: Buffer) => requests.push(head.toString('latin1')))
    store.once('data', (head: Buffer) => answers.push(head.toString('latin1')))
    client.pipe(store)
    if (isFirst) cutShort(store, client, cut)
    else store.pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    answers,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function cutShort(store: Socket, client: Socket, { after, meanwhile }: Cut): void {
  let left = after
  store.on('data', (chunk: Buffer) => {
    client.write(chunk.subarray(0, left))
    left -= chunk.length
    if (left > 0) return
    store.destroy()
    void Promise.resolve(meanwhile?.()).finally(() => client.end())
  })
}
