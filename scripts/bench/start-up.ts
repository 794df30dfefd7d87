/** The time from a program's start to its first request, beside that of a program that does nothing. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const bundle = path.resolve(import.meta.dirname, '../../dist/run/index.js')

export interface StartUp {
  /** Milliseconds until the first request arrives. */
  action: number
  /** Milliseconds until an empty program has ended. */
  empty: number
}

/** Pairs, one after the other, so that both see the same machine. One round warms up. */
export async function measureStartUp(rounds: number): Promise<StartUp[]> {
  const server = createServer((_request, response) => response.writeHead(401).end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const measured: StartUp[] = []
  for (let round = 0; round <= rounds; round++) {
    const empty = await timeProgram(['--eval', ''], {}, (child) => once(child, 'exit'))
    const action = await timeProgram([bundle], inputs(port), () => once(server, 'request'))
    if (round > 0) measured.push({ action, empty })
  }
  server.close()
  return measured
}

async function timeProgram(
  args: string[],
  env: NodeJS.ProcessEnv,
  happened: (child: ReturnType<typeof spawn>) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
  const exited = once(child, 'exit')
  await happened(child)
  const span = performance.now() - startedAt
  await exited
  return span
}

function inputs(port: number): NodeJS.ProcessEnv {
  return {
    'INPUT_BASE-URL': `http://127.0.0.1:${port}`,
    'INPUT_API-TOKEN': 'bench-token',
    'INPUT_API-KEY': 'bench-api-key',
    'INPUT_AUTHORIZATION-SCHEME': 'token',
    INPUT_PROJECT: 'demo',
    INPUT_AUTOMATION: 'bench',
    'INPUT_POLL-INTERVAL': '5s',
    INPUT_TIMEOUT: '1m',
    'INPUT_FAIL-ON': 'error',
    'INPUT_UPLOAD-ARTIFACT': 'false',
    'INPUT_PRINT-LOG': 'never',
    INPUT_SUMMARY: 'false',
  }
}
