import { spawnSync } from 'node:child_process'

/** Returns true if `src` differs from the commit that last changed `dist`. Returns false without git. */
export function isNewerThanDist(folder: string): boolean {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  const built = git('log', '-1', '--format=%H', '--', 'dist')
  if (built.status !== 0 || built.stdout === '') return false
  return git('diff', '--quiet', built.stdout.trim(), '--', 'src').status === 1
}
