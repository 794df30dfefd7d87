import { spawnSync } from 'node:child_process'
import { access } from 'node:fs/promises'
import path from 'node:path'

/** A program's file, looked for on PATH and where `go install` puts things; undefined if missing. */
export async function findProgram(
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const folders = (environment['PATH'] ?? '').split(path.delimiter)
  const fileName = process.platform === 'win32' ? `${name}.exe` : name
  for (const folder of [...folders, ...goFolders()]) {
    const file = path.join(folder, fileName)
    if (folder !== '' && (await exists(file))) return file
  }
  return undefined
}

function goFolders(): string[] {
  const { status, stdout } = spawnSync('go', ['env', 'GOBIN', 'GOPATH'], { encoding: 'utf8' })
  if (status !== 0) return []
  const [bin = '', home = ''] = stdout.split(/\r?\n/)
  return [bin, home === '' ? '' : path.join(home, 'bin')]
}

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )
