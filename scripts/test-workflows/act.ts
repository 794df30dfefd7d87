import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export const howToGetAct = `act, which runs workflows without GitHub, is not on PATH. Get it with
  .ci/install-tools FOLDER
put the folder on PATH, and run this again.`

export interface ActRun {
  act: string
  args: string[]
  folder: string
  environment: NodeJS.ProcessEnv
  /** Ends act as Ctrl-C does: it still ends what its jobs have started. */
  interrupted: AbortSignal
  onLine: (line: string) => void
}

/** Runs act to its end. Both its streams go to `onLine`, a line at a time. */
export async function runAct(run: ActRun): Promise<number> {
  const { act, args, folder, environment, interrupted, onLine } = run
  const child = spawn(act, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', onLine)
  const interrupt = () => child.kill('SIGINT')
  interrupted.addEventListener('abort', interrupt)
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  }).finally(() => interrupted.removeEventListener('abort', interrupt))
}
