import { spawnSync } from 'node:child_process'

/** Returns the first of these programs that is on PATH. */
export function findProgram(...names: string[]): string | undefined {
  return names.find((name) => !spawnSync(name, ['--version'], { stdio: 'ignore' }).error)
}
