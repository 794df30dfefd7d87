import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface ProgramPlan {
  command: string
  args: string[]
  env?: Record<string, string>
  /** Matches what the program prints, on either stream, when it listens. */
  ready: RegExp
  /** The message if the program is not installed. */
  howToGet: string
}

/** An unchanged server of another project. Disposing ends the server. */
export interface Program extends AsyncDisposable {
  /** The match of `ready`. */
  ready: RegExpExecArray
  /** Returns everything that the program has printed so far, on both streams. */
  printed(): string
}

// Milliseconds. The slowest program needs two seconds on an idle machine.
const maxStartTime = 40_000

/** @throws Error if the program is missing, ends early, or is not ready in time. */
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
  }, maxStartTime)
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
