import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { compileCache } from '../../sandbox/compile-cache.ts'
import type { ClientAnswer, ClientOrder } from './client-program.ts'

const file = fileURLToPath(new URL('client-program.ts', import.meta.url))

/** A process with GitHub's cache client, which tests share because its loading takes long. */
export interface ClientProcess extends AsyncDisposable {
  ask(order: ClientOrder): Promise<ClientAnswer>
  [Symbol.asyncDispose](): Promise<void>
}

export function openClientProcess(): ClientProcess {
  const child = fork(file, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...compileCache },
  })
  const exit = once(child, 'exit')
  return {
    async ask(order) {
      const answer = once(child, 'message')
      child.send(order)
      const ended = exit.then(() => Promise.reject(new Error('the process has ended')))
      const [message] = (await Promise.race([answer, ended])) as [ClientAnswer]
      return message
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
    },
  }
}
