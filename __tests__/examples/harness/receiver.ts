/** Starts the webhook receiver of the examples in a child process. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import type { GithubApi } from '../../../sandbox/runner/github-api.ts'
import { root } from '../../../scripts/docs/action-files.ts'

export const receiverFile = 'examples/webhook-receiver/receiver.mjs'
export const secret = 'a-secret-that-both-sides-know'

export interface StartedReceiver {
  process: ChildProcess
  /** Returns the output of both streams so far. */
  printed: () => string
  ended: Promise<unknown>
}

export function startReceiver(settings: Record<string, string>): StartedReceiver {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [path.join(root, receiverFile)], {
    env: { PATH, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  return { process: child, printed: () => printed, ended: once(child, 'close') }
}

export interface OpenReceiver extends AsyncDisposable {
  /** The address, without a slash at its end. */
  url: string
  /** Returns the output of both streams so far. After `close`, the output is complete. */
  printed: () => string
  close: () => Promise<void>
}

/** Starts the receiver. Resolves when it listens. */
export async function openReceiver(
  { url: api, token }: Pick<GithubApi, 'url' | 'token'>,
  repository = 'owner/repo',
): Promise<OpenReceiver> {
  const receiver = startReceiver({
    RECEIVER_SECRET: secret,
    GITHUB_TOKEN: token,
    GITHUB_REPOSITORY: repository,
    GITHUB_API_URL: api,
  })
  const { process: child, printed, ended } = receiver
  const close = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  const url = `http://127.0.0.1:${await portOf(receiver)}`
  return { url, printed, close, [Symbol.asyncDispose]: () => close('SIGKILL') }
}

/** @throws Error with the program's output if the program ends instead of listening. */
async function portOf({ process: child, printed, ended }: StartedReceiver): Promise<string> {
  for (;;) {
    const [, port] = /^Listening on port (\d+)$/m.exec(printed()) ?? []
    if (port !== undefined) return port
    if (child.exitCode !== null) throw new Error(`the receiver ended: ${printed()}`)
    await Promise.race([once(child.stdout ?? child, 'data'), ended])
  }
}
