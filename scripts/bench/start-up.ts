/** Measures the time from the action's start to its first request, and the time of an empty program. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

const bundle = path.resolve(import.meta.dirname, '../../dist/actions/run.js')

export interface StartUp {
  /** Milliseconds until the first request arrives. */
  action: number
  /** Milliseconds until an empty program has ended. */
  empty: number
}

/** Runs both programs in each round, so that the load is the same. The first round does not count. */
export async function measureStartUp(rounds: number): Promise<StartUp[]> {
  const server = createServer((_request, response) => response.writeHead(401).end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const environment = inputs(port)
  const measured: StartUp[] = []
  for (let round = 0; round <= rounds; round++) {
    const empty = await timeProgram(['--eval', ''], {}, (child) => once(child, 'exit'))
    const action = await timeProgram([bundle], environment, () => once(server, 'request'))
    if (round > 0) measured.push({ action, empty })
  }
  server.close()
  return measured
}

async function timeProgram(
  args: string[],
  env: NodeJS.ProcessEnv,
  waitForEvent: (child: ReturnType<typeof spawn>) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
  const exited = once(child, 'exit')
  await waitForEvent(child)
  const span = performance.now() - startedAt
  await exited
  return span
}

/** Returns the variables of the step's inputs. */
function inputs(port: number): NodeJS.ProcessEnv {
  const given = {
    'base-url': `http://127.0.0.1:${port}`,
    'api-token': 'bench-token',
    'api-key': 'bench-api-key',
    project: 'demo',
    automation: 'bench',
    timeout: '1m',
    'upload-artifact': 'false',
    'print-log': 'never',
    summary: 'false',
  }
  const named = Object.entries(given).map(([name, text]) => [`INPUT_${name.toUpperCase()}`, text])
  return Object.fromEntries(named) as NodeJS.ProcessEnv
}
