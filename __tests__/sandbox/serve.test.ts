import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { compileCache } from '../../sandbox/compile-cache.ts'
import { sandboxCredentials } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { credentials, json, send } from './caller.ts'

const program = fileURLToPath(new URL('../../sandbox/serve.ts', import.meta.url))

function serve(words: string[], environment = {}) {
  const env = { ...process.env, ...compileCache, ...environment }
  return spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env })
}

async function exitCode(child: ChildProcess): Promise<unknown> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

describe('sandbox/serve.ts', () => {
  // Windows has no signals between processes, so a stop is always a kill.
  const signals = process.platform === 'win32' ? [] : (['SIGTERM'] as const)

  it.each(signals)(
    'prints what it accepts and its address, serves, and removes its files on %s',
    async (signal) => {
      await using folder = await makeTemporaryFolder()
      const child = serve([], { TMPDIR: folder.path })
      const printed: string[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        printed.push(line)
        if (line.startsWith('The sandbox is ready')) break
      }
      const url = /http:\/\/127\.0\.0\.1:\d+$/.exec(printed.at(-1) ?? '')?.[0] ?? ''
      const headers = { ...credentials(sandboxCredentials), 'content-type': 'application/json' }
      const path = '/api/start-automation/demo/slow-count'
      const body = '{"seed":{"seconds":600}}'
      const started = await send(url + path, { method: 'POST', headers, body })
      expect(started.status).toBe(202)
      expect(json(started)['status']).toBe('success')
      const filesBefore = await readdir(folder.path)
      const code = exitCode(child)
      child.kill(signal)
      expect(await code).toBe(0)
      for (const value of Object.values(sandboxCredentials)) {
        expect(printed.join()).toContain(value)
      }
      expect(printed).toContainEqual(`  export AUTOMATION_BASE_URL=${url}`)
      expect([filesBefore.length, await readdir(folder.path)]).toEqual([1, []])
    },
  )
})
