import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const file = 'batch-parts-failed-again.yml'

/** Runs the second job's step for artifacts as actions/download-artifact unpacks them. */
async function list(artifacts: Record<string, string>, parts: string) {
  await using workspace = await makeTemporaryFolder()
  for (const [name, seeds] of Object.entries(artifacts)) {
    const folder = path.join(workspace.path, 'failed', name)
    await mkdir(folder, { recursive: true })
    await writeFile(path.join(folder, 'failed-seeds.jsonl'), seeds)
  }
  const { exitCode, printed } = await runExampleStep({
    file,
    name: 'List what failed',
    env: { PARTS: parts },
    folder: workspace.path,
  })
  const again = await readFile(path.join(workspace.path, 'again.jsonl'), 'utf8').catch(() => '')
  return { exitCode, printed, seeds: again.split('\n').filter(Boolean).sort() }
}

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('the parts of a list', () => {
  it.each([1, 2, 3, 7])('are all lines of the file, unchanged, over %d jobs', async (total) => {
    await using workspace = await makeTemporaryFolder()
    const lines = ['{"id":12345678901234567890}', '{"n":1.0}', '{"n":1e400}', '{"s":"\\u0041 \'"}']
    await writeFile(path.join(workspace.path, 'cities.jsonl'), lines.join('\n'))
    const parts: string[] = []
    for (let index = 0; index < total; index++) {
      const env = { INDEX: `${index}`, TOTAL: `${total}` }
      const name = 'Take a part of the seeds'
      const { exitCode } = await runExampleStep({ file, name, env, folder: workspace.path })
      expect(exitCode).toBe(0)
      parts.push(await readFile(path.join(workspace.path, 'part.jsonl'), 'utf8'))
    }
    expect(parts.join('').trim().split('\n').sort()).toEqual(lines.sort())
  })
})

onUnix('the seeds of a second try', () => {
  it('are the failed seeds of all parts', async () => {
    const artifacts = { 'failed-seeds-1': '{"city":"Oslo"}\n', 'failed-seeds-2': '' }
    expect(await list(artifacts, '2')).toMatchObject({ exitCode: 0, seeds: ['{"city":"Oslo"}'] })
  })

  it('are those of a single part, whose artifact has no folder', async () => {
    const artifacts = { '.': '{"city":"Oslo"}\n' }
    expect(await list(artifacts, '1')).toMatchObject({ exitCode: 0, seeds: ['{"city":"Oslo"}'] })
  })

  it.each([
    ['one of two', { '.': '{"city":"Oslo"}\n' }, '1 of 2'],
    ['all', {}, '0 of 2'],
  ])(
    'are not run if parts are missing: %s',
    async (_, artifacts: Record<string, string>, found) => {
      const { exitCode, printed, seeds } = await list(artifacts, '2')
      expect([exitCode, seeds]).toEqual([1, []])
      expect(printed).toContain(`::error::${found} parts have stored their failed seeds.`)
    },
  )
})
