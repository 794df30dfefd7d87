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
 * Starts the action's program. `end` settles when the program and both streams have ended, or when
 * a child process has kept the streams open for too long.
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
      // On Windows a program of its own group would get a console of its own.
      detached: ownGroup && process.platform !== 'win32',
    })
  } catch (error) {
    // E2BIG: one variable of 128 KiB or more on Linux, less elsewhere.
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
  // `close` and not `end`, which a stream that was let go never reaches.
  stream.on('close', () => lines.end())
  return () => Buffer.concat(chunks).toString()
}
