/** The program of `client-process.ts`. Runs the calls that it receives, one after the other. */
import { tmpdir } from 'node:os'
import * as cache from '@actions/cache'
import { messageOf } from '../../src/errors.ts'
import { CacheClient } from '../../src/runner/storage/cache-client.ts'
import { ClientCalls } from '../../src/runner/storage/client-calls.ts'

export interface ClientOrder {
  /** The calls in their order, each as `find PREFIX` or `save KEY`. */
  calls: string[]
  environment: Record<string, string>
  folder: string
}

export interface ClientAnswer {
  /** For each call `saved`, the found key, `none`, or why it failed. */
  answers: (string | { why: string })[]
  /** Lines that GitHub's client would have printed. */
  lines: string[]
  /** Text that was printed although it should not be. */
  printed: string
}

// Shortens the client's pauses between tries to a hundredth. No test is about these pauses.
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
  const answers: ClientAnswer['answers'] = []
  for (const call of calls) {
    const [verb, text = ''] = call.split(' ')
    const onLine = (line: string) => lines.push(line)
    const find = async () => (await client.find({ prefix: text, name: 'record' }, onLine)) ?? 'none'
    const save = async () => {
      await client.save({ key: text, name: 'record', content: new Uint8Array() }, onLine)
      return 'saved'
    }
    const asked = verb === 'find' ? find() : save()
    answers.push(await asked.catch((error: unknown) => ({ why: messageOf(error) })))
  }
  process.chdir(tmpdir())
  return { answers, lines, printed: stdout() + stderr() }
}

/** Collects a stream's output. The returned function restores the stream and returns the text. */
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
