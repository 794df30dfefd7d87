import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { anyText, InputProblem } from '../../../../src/runner/inputs/readings.ts'
import type { Inputs } from '../../../../src/runner/inputs/inputs.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts'
import { problemsIn, valuesOf } from './problems.ts'

const read = (workspace: string, file: string) =>
  valuesOf((given) => given.file('seed-file', 100, anyText), { 'seed-file': file }, workspace)
const problems = (workspace: string, file: string) =>
  problemsIn((given) => given.file('seed-file', 100, anyText), { 'seed-file': file }, workspace)

describe('a file', () => {
  let folder: TemporaryFolder
  let workspace: string

  beforeEach(async () => {
    folder = await makeTemporaryFolder()
    workspace = folder.path
    await mkdir(path.join(workspace, 'seeds'))
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  it('is found by its path in the workspace, and is sent unchanged', async () => {
    const text = '{"big": 1e400,\r\n "text": "é 😀"}\n\n'
    await writeFile(path.join(workspace, 'seeds', 'big.json'), text)
    expect(await read(workspace, ' seeds/big.json\n')).toBe(text)
  })

  it('may be given by an absolute path', async () => {
    const file = path.join(workspace, 'seed.json')
    await writeFile(file, '{}')
    expect(await read(path.join(workspace, 'seeds'), file)).toBe('{}')
  })

  it('loses a byte order mark, and nothing else', async () => {
    await writeFile(path.join(workspace, 'marked.json'), '\uFEFF {"a": 1}\n')
    expect(await read(workspace, 'marked.json')).toBe(' {"a": 1}\n')
  })

  it('has a maximum size', async () => {
    const file = path.join(workspace, 'large.json')
    await writeFile(file, 'x'.repeat(100))
    expect(await read(workspace, 'large.json')).toHaveLength(100)
    await writeFile(file, 'x'.repeat(2 ** 20 + 1))
    const limited = (given: Inputs) => given.file('seed-file', 2 ** 20, anyText)
    expect(await problemsIn(limited, { 'seed-file': 'large.json' }, workspace)).toEqual([
      'seed-file: expected the path of a file, found "large.json": it is larger than 1 MiB',
    ])
  })

  it('is named in each problem of its text', async () => {
    await writeFile(path.join(workspace, 'broken.json'), '')
    const refused = () => Promise.reject(new InputProblem(['first', 'second']))
    const reading = (given: Inputs) => given.file('seed-file', 100, refused)
    expect(await problemsIn(reading, { 'seed-file': 'broken.json' }, workspace)).toEqual([
      'seed-file: in "broken.json": first',
      'seed-file: in "broken.json": second',
    ])
  })

  it.each([
    ['missing.json', 'there is no such file'],
    ['seeds', 'not a regular file'],
    ['latin1.json', 'it is not UTF-8 at line 1, column 8; save it as UTF-8'],
    ['lfs.csv', 'it is a pointer of Git LFS; give actions/checkout the input lfs: true'],
  ])('%s is reported with its problem', async (file, problem) => {
    const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 9\n'
    await writeFile(path.join(workspace, 'lfs.csv'), pointer)
    await writeFile(path.join(workspace, 'latin1.json'), Buffer.from('{"a": "\xe9"}', 'latin1'))
    const message = (await problems(workspace, file)).join()
    expect(message).toContain(`expected the path of a file, found "${file}": ${problem}`)
  })
})

// Windows has no such folders or names, and reports other errors.
const onPosix = process.platform === 'win32' ? it.skip : it

describe('a file that cannot be read', () => {
  onPosix('is missing, if a file has the path of its folder', async () => {
    await using workspace = await makeTemporaryFolder()
    await writeFile(path.join(workspace.path, 'seeds'), '{}')
    expect((await problems(workspace.path, 'seeds/one.json')).join()).toContain(
      'there is no such file',
    )
  })

  onPosix('is refused if it is a pipe, which nothing may ever write to', async () => {
    await using workspace = await makeTemporaryFolder()
    execFileSync('mkfifo', [path.join(workspace.path, 'pipe')])
    expect((await problems(workspace.path, 'pipe')).join()).toMatch(/: not a regular file$/)
  })

  onPosix('is reported with the system’s error code, if it has another reason', async () => {
    await using workspace = await makeTemporaryFolder()
    const file = 'a'.repeat(300)
    expect((await problems(workspace.path, file)).join()).toMatch(
      /: name too long \(ENAMETOOLONG\)$/,
    )
  })
})
