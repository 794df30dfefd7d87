import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('the seeds of a second try', () => {
  it('are the seeds of the newest attempt of each shard', async () => {
    await using workspace = await makeTemporaryFolder()
    const artifacts = {
      'city-report-batch-shard-0': '{"city":"Oslo"}\n{"city":"Lyon"}\n',
      'city-report-batch-shard-0-attempt-2': '{"city":"Oslo"}\n',
      'city-report-batch-shard-0-attempt-10': '{"city":"Lyon"}\n',
      'city-report-batch-shard-1': '{"city":"Turin"}\n',
      'city-report-batch-shard-1-attempt-2': '',
    }
    for (const [name, seeds] of Object.entries(artifacts)) {
      const folder = path.join(workspace.path, 'shards', name)
      await mkdir(folder, { recursive: true })
      await writeFile(path.join(folder, 'failed-seeds.jsonl'), seeds)
    }
    const { exitCode } = await runExampleStep({
      file: 'batch-shards-failed-again.yml',
      name: 'List what failed',
      env: {},
      folder: workspace.path,
    })
    const again = await readFile(path.join(workspace.path, 'again.jsonl'), 'utf8')
    expect({ exitCode, again }).toEqual({ exitCode: 0, again: '{"city":"Lyon"}\n' })
  })
})
