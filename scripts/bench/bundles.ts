import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'

const dist = path.resolve(import.meta.dirname, '../../dist')

export async function bundleSizes(): Promise<{ name: string; bytes: number }[]> {
  const names = await readdir(dist)
  return Promise.all(
    names.map(async (name) => {
      const { size } = await stat(path.join(dist, name, 'index.js'))
      return { name, bytes: size }
    }),
  )
}
