import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface ProgramPlan {
  command: string
  args: string[]
  env?: Record<string, string>
  /** What it prints, on either stream, once it listens. */
  ready: RegExp
  /** The message when the program is not on this machine. */
  howToGet: string
}

/** Somebody else's server, run as it is. Disposing ends it. */
export interface Program extends AsyncDisposable {
  /** The match of `ready`. */
  ready: RegExpExecArray
  /** All that it has printed so far, on both streams. */
  printed(): string
}

// Milliseconds. The slowest takes two seconds on an idle machine.
const readyWithin = 40_000

/** @throws Error when the program is not there, ends before it is ready, or never is. */
export async function startProgram(plan: ProgramPlan): Promise<Program> {
  const { command, args, env, ready, howToGet } = plan
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let text = ''
  const readiness = Promise.withResolvers<RegExpExecArray>()
  const take = (chunk: Buffer) => {
    text += chunk.toString('latin1')
    const match = ready.exec(text)
    if (match) readiness.resolve(match)
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const closed = once(child, 'close').catch(() => undefined)
  child.on('error', (cause) => {
    readiness.reject(new Error(`${command} does not start. ${howToGet}`, { cause }))
  })
  void closed.then(() => readiness.reject(new Error(`${command} ended:\n${text}`)))
  const giveUp = setTimeout(() => {
    readiness.reject(new Error(`${command} is not ready:\n${text}`))
    child.kill()
  }, readyWithin)
  const match = await readiness.promise.finally(() => clearTimeout(giveUp))
  return {
    ready: match,
    printed: () => text,
    async [Symbol.asyncDispose]() {
      child.kill()
      await closed
    },
  }
}
