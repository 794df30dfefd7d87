import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { messageOf } from '../../src/errors.ts'
import { LineSplitter } from './lines.ts'
import type { ProcessEnd } from './step-result.ts'

// GitHub's runner stops reading the streams 5 s after the program has ended.
const streamTimeout = 5_000

export interface ProcessPlan {
  main: string
  workspace: string
  ownGroup: boolean
  environment: Record<string, string>
  onLine: (line: string) => void
}

/**
 * Starts the action's program. `end` resolves when the program and both streams have ended. If a
 * child process keeps the streams open, they are closed 5 s after the program has ended.
 */
export function startProcess(plan: ProcessPlan): { child: ChildProcess; end: Promise<ProcessEnd> } {
  const startedAt = performance.now()
  const child = spawnProgram(plan)
  const stdout = record(child.stdout, plan)
  const stderr = record(child.stderr, plan)
  let duration = 0
  let endedAt = 0
  let release: NodeJS.Timeout | undefined
  child.on('exit', () => {
    duration = performance.now() - startedAt
    endedAt = Date.now()
    release = setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, streamTimeout)
  })
  const end = once(child, 'close').then((): ProcessEnd => {
    clearTimeout(release)
    const { exitCode, signalCode: signal } = child
    return { exitCode, signal, stdout: stdout(), stderr: stderr(), duration, endedAt }
  })
  return { child, end }
}

function spawnProgram({ main, workspace, environment, ownGroup }: ProcessPlan) {
  try {
    return spawn(process.execPath, [main], {
      cwd: workspace,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      // On Windows, a detached program gets its own console.
      detached: ownGroup && process.platform !== 'win32',
    })
  } catch (error) {
    // For example E2BIG, if one variable has 128 KiB or more (on Linux).
    throw new Error(`The step could not be started: ${messageOf(error)}`, { cause: error })
  }
}

function record(stream: NodeJS.ReadableStream, { onLine }: ProcessPlan): () => string {
  const chunks: Buffer[] = []
  const lines = new LineSplitter(onLine)
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    lines.write(chunk)
  })
  // A destroyed stream emits `close`, but may not emit `end`.
  stream.on('close', () => lines.end())
  return () => Buffer.concat(chunks).toString()
}
