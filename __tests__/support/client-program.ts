/** The program of `client-process.ts`: asks GitHub's cache client what it is sent, in order. */
import { tmpdir } from 'node:os'
import * as cache from '@actions/cache'
import { CacheClient } from '../../src/runner/storage/cache-client.ts'
import { ClientCalls } from '../../src/runner/storage/client-calls.ts'

export interface ClientOrder {
  /** `find PREFIX` or `save KEY`, one after the other. */
  calls: string[]
  environment: Record<string, string>
  folder: string
}

export interface ClientAnswer {
  answers: unknown[]
  /** What GitHub's client would have printed. */
  lines: string[]
  /** What was printed all the same. */
  printed: string
}

// Lets the clients' pauses between tries pass a hundred times as fast: nothing is tested in them.
const wait = globalThis.setTimeout
const hasten = (run: () => void, span = 0, ...rest: []) => wait(run, span / 100, ...rest)
globalThis.setTimeout = Object.assign(hasten, wait)

process.on('message', (order: ClientOrder) => {
  void answer(order).then((given) => process.send?.(given))
})

async function answer({ calls, environment, folder }: ClientOrder): Promise<ClientAnswer> {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, environment)
  process.chdir(folder)
  const [stdout, stderr] = [keepPrinted(process.stdout), keepPrinted(process.stderr)]
  const lines: string[] = []
  const client = new CacheClient(cache, new ClientCalls([process.stdout, process.stderr]))
  const answers: unknown[] = []
  for (const call of calls) {
    const [verb, text = ''] = call.split(' ')
    const onLine = (line: string) => lines.push(line)
    const asked =
      verb === 'find'
        ? client.find({ prefix: text, name: 'record' }, onLine)
        : client.save({ key: text, name: 'record', content: new Uint8Array() }, onLine)
    answers.push(await asked)
  }
  process.chdir(tmpdir())
  return { answers, lines, printed: stdout() + stderr() }
}

/** Keeps what is printed from the stream, until the function that it returns is called. */
function keepPrinted(stream: NodeJS.WriteStream): () => string {
  const chunks: Buffer[] = []
  const write = stream.write.bind(stream)
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    chunks.push(Buffer.from(chunk as string))
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => void Reflect.apply(done, stream, []))
    return true
  }
  return () => {
    stream.write = write
    return Buffer.concat(chunks).toString()
  }
}
