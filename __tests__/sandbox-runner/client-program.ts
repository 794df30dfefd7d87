/** The program of `client-process.ts`: runs the steps that it is sent, one after the other. */
import { tmpdir } from 'node:os'
import * as artifact from '@actions/artifact'
import * as cache from '@actions/cache'
import * as core from '@actions/core'
import { CacheClient } from '../../src/runner/storage/cache-client.ts'
import { ClientCalls } from '../../src/runner/storage/client-calls.ts'

export interface ClientOrder {
  program: string
  environment: Record<string, string>
  folder: string
}

/** `answer` is JSON, or `undefined` as a text; `error` is what the program threw. */
export interface ClientAnswer {
  answer: string
  error: string | undefined
  exitCode: number
  stdout: string
  stderr: string
}

type Program = (...values: unknown[]) => Promise<unknown>

const known = { artifact: artifact.default, cache, core, CacheClient, ClientCalls }

// Lets the clients' pauses between tries pass a hundred times as fast: nothing is tested in them.
const wait = globalThis.setTimeout
const hasten = (run: () => void, span = 0, ...rest: []) => wait(run, span / 100, ...rest)
globalThis.setTimeout = Object.assign(hasten, wait)

process.on('message', (order: ClientOrder) => {
  void runProgram(order).then((answer) => process.send?.(answer))
})

async function runProgram({ program, environment, folder }: ClientOrder): Promise<ClientAnswer> {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, environment)
  process.chdir(folder)
  const [stdout, stderr] = [keepPrinted(process.stdout), keepPrinted(process.stderr)]
  let error: string | undefined
  const answer = await compile(program)(...Object.values(known)).catch((thrown: unknown) => {
    error = String(thrown)
  })
  const exitCode = Number(process.exitCode ?? 0)
  process.exitCode = 0
  process.chdir(tmpdir())
  const json = JSON.stringify(answer) as string | undefined
  return { answer: json ?? 'undefined', error, exitCode, stdout: stdout(), stderr: stderr() }
}

function compile(program: string): Program {
  const AsyncFunction = runProgram.constructor as new (...source: string[]) => Program
  return new AsyncFunction(...Object.keys(known), program)
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
