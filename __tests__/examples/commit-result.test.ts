import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { git } from './harness/checkout.ts'
import { describeSteps, runStep } from './harness/workflow.ts'

const list = (length: number) => JSON.stringify(Array.from({ length }, (_, row) => ({ row })))

/** `committed`: the rows, or the text, of the file in the repository. Undefined if there is no file. */
function compare(content: string, committed: number | string | undefined) {
  const text = typeof committed === 'number' ? list(committed) : committed
  const files = {
    'result.json': content,
    ...(text !== undefined && { 'data/series.json': text }),
  }
  const env = { RESULT_FILE: 'result.json' }
  return runStep('commit-result.yml', 'Compare the numbers of rows', { files, env })
}

describeSteps('a result compared with the committed one', () => {
  it.each([
    ['as many rows', 100, 100],
    ['a tenth fewer', 90, 100],
    ['the first result', 5, undefined],
  ])('is accepted: %s', async (_, rows, committed) => {
    expect(await compare(list(rows), committed)).toMatchObject({ exitCode: 0 })
  })

  it.each([
    ['more than a tenth is missing', 89, 100],
    ['more than a tenth of a few rows is missing', 9, 11],
    ['the list is empty', 0, 20],
  ])('is refused: %s', async (_, rows, committed) => {
    const { exitCode, printed } = await compare(list(rows), committed)
    expect(exitCode).toBe(1)
    expect(printed).toContain(`::error::The result has ${rows} rows, and the committed one has`)
  })

  it.each([
    ['no byte', ''],
    ['a line for each row', '{"row":0}\n{"row":1}\n'],
  ])('is refused if it is no JSON list: %s', async (_, content) => {
    const { exitCode, printed } = await compare(content, 20)
    expect(exitCode).not.toBe(0)
    expect(printed).toContain('it is not one JSON list')
  })

  it.each([
    ['no byte', ''],
    ['a half of a list', '[{"row":0}, {"ro'],
    ['marks of a merge', '<<<<<<< HEAD\n[]\n'],
  ])('is refused if the committed file is broken: %s', async (_, committed) => {
    const { exitCode, printed } = await compare(list(100), committed)
    expect(exitCode).not.toBe(0)
    expect(printed).toContain('error')
  })
})

describeSteps('a result that is committed', () => {
  it('is on top of pushes during the run', async () => {
    await using folder = await makeTemporaryFolder()
    const [origin, workspace, result] = ['origin', 'workspace', 'result.json'].map((name) =>
      path.join(folder.path, name),
    ) as [string, string, string]
    const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
    const push = () =>
      git(origin, ...author, 'commit', '--quiet', '--allow-empty', '--message', 'A push')
    git(folder.path, 'init', '--quiet', '--initial-branch', 'main', origin)
    git(origin, 'config', 'receive.denyCurrentBranch', 'ignore')
    push()
    git(folder.path, 'clone', '--quiet', origin, workspace)
    push()
    await writeFile(result, '[]\n')

    const env = { HOME: folder.path, RESULT_FILE: result, GITHUB_REF_NAME: 'main' }
    const name = 'Commit the result if it has changed'
    const { exitCode } = await runStep('commit-result.yml', name, { workspace, env })
    expect(exitCode).toBe(0)
    expect(git(origin, 'show', 'main:data/series.json')).toBe('[]\n')
    expect(git(origin, 'rev-list', '--count', 'main').trim()).toBe('3')
  })
})
