/** The folder in which `npm start` keeps the files of its steps until the next try. */
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** Makes the folder of this process, and removes the folders of processes that have ended. */
export async function makeKeptFolder(): Promise<string> {
  const all = path.join(await realpath(tmpdir()), 'npm-start-of-run-automation')
  const folder = path.join(all, String(process.pid))
  await mkdir(folder, { recursive: true })
  const others = (await readdir(all)).filter((name) => !isRunning(Number(name)))
  await Promise.all(others.map((name) => rm(path.join(all, name), { recursive: true })))
  return folder
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}
