import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/** Runs the step that lists seeds for the second job. `failed`: the file's text, if any. */
async function list(failed: string | undefined) {
  await using workspace = await makeTemporaryFolder()
  const [file, outputs] = ['failed.jsonl', 'outputs'].map((n) => path.join(workspace.path, n))
  if (failed !== undefined) await writeFile(String(file), failed)
  await writeFile(String(outputs), '')
  const { exitCode } = await runExampleStep({
    file: 'batch-failed-again.yml',
    name: 'List what failed',
    env: { FILE: failed === undefined ? '' : String(file), GITHUB_OUTPUT: String(outputs) },
    folder: workspace.path,
  })
  return { exitCode, outputs: await readFile(String(outputs), 'utf8') }
}

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('there is no second try', () => {
  it.each([
    ['nothing failed', ''],
    ['the first try ended before it had a file, such as with a wrong input', undefined],
  ])('if %s', async (_, failed) => {
    expect(await list(failed)).toEqual({ exitCode: 0, outputs: '' })
  })
})
