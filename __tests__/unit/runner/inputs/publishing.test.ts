import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { artifactName, retentionDays } from '../../../../src/runner/inputs/publishing.ts'
import { leadsOut } from '../../../../src/runner/files.ts'
import { workspacePath } from '../../../../src/runner/inputs/workspace-path.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'
import { outcome, problemsOf } from './outcome.ts'

const workspace = path.resolve('/work', 'checkout')
const schema = workspacePath(workspace, 'file')

describe('a path to write a copy to', () => {
  it.each([
    ['result.json', 'result.json'],
    ['out/2024/result.json', 'out/2024/result.json'],
    ['./out/../result.json', 'result.json'],
    ['..result', '..result'],
    [path.join(workspace, 'out', 'a.json'), 'out/a.json'],
  ])('%s lies in the workspace', async (text, relative) => {
    expect(await outcome(schema, text)).toBe(path.join(workspace, ...relative.split('/')))
  })

  it.each([
    '../result.json',
    'out/../../result.json',
    '..',
    '../checkout-of-another/result.json',
    path.resolve('/etc/passwd'),
  ])('%s leaves it', async (text) => {
    expect(await problemsOf(schema, text)).toEqual([
      `expected a file inside the workspace, found ${JSON.stringify(text)}`,
    ])
  })

  it.each([
    ['.', ''],
    ['out/', 'the folder '],
    ['out/..', ''],
    [workspace, ''],
  ])('%s is a folder', async (text, kind) => {
    expect(await problemsOf(schema, text)).toEqual([
      `expected a file inside the workspace, found ${kind}${JSON.stringify(text)}`,
    ])
  })

  const checkout = 'C:\\checkout'
  it.each([
    ['out\\a.json', false],
    ['out/a.json', false],
    ['c:\\checkout\\a.json', false],
    ['..\\a.json', true],
    ['D:\\a.json', true],
    ['D:a.json', true],
    ['\\a.json', true],
    ['\\\\server\\share\\a.json', true],
  ])('%s leaves the workspace on Windows: %s', (text, isOutside) => {
    const file = path.win32.resolve(checkout, text)
    expect(leadsOut(checkout, file, path.win32)).toBe(isOutside)
  })

  it('has no control characters', async () => {
    expect(await problemsOf(schema, 'a\u0000b')).toHaveLength(1)
  })
})

describe('a path that cannot be written to', () => {
  it('may lie in the root folder, if that is the workspace', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'out', 'result.json')
    expect(await outcome(workspacePath(path.parse(folder.path).root, 'file'), file)).toBe(file)
  })

  it('is reported with the reason', async () => {
    await using checkout = await makeTemporaryFolder()
    await writeFile(path.join(checkout.path, 'file'), '')

    expect(await problemsOf(workspacePath(checkout.path, 'file'), 'file/result.json')).toEqual([
      'expected a file inside the workspace that can be written, found "file/result.json": a file stands where a folder is needed',
    ])
  })
})

describe("the artifact's name", () => {
  it('may be any line', async () => {
    expect(await outcome(artifactName, ' report of Monday (1) ')).toBe('report of Monday (1)')
  })

  it.each(
    Array.from('":<>|*?\\/')
      .map((character) => `a${character}b`)
      .concat('.', '..'),
  )('is not %s', async (name) => {
    expect(await problemsOf(artifactName, name)).toEqual([
      `expected a name of at most 260 characters, without any of " : < > | * ? \\ /, other than . and .., found ${JSON.stringify(name)}`,
    ])
  })

  it('has at most 260 characters', async () => {
    expect(await outcome(artifactName, 'x'.repeat(260))).toHaveLength(260)
    expect(await problemsOf(artifactName, 'x'.repeat(261))).toHaveLength(1)
  })

  it.each(['a\rb', 'a\nb'])('%j is more than a line', async (text) => {
    expect(await problemsOf(artifactName, text)).toHaveLength(1)
  })
})

describe('the days that the artifact is kept', () => {
  it.each([
    ['1', 1],
    [' 90 ', 90],
    ['400', 400],
  ])('%j are %d', async (text, days) => {
    expect(await outcome(retentionDays, text)).toBe(days)
  })

  it.each(['0', '401', '-1', '1.5', '1e2', '0x10', 'ninety', '７'])('refuse %j', async (text) => {
    expect(await problemsOf(retentionDays, text)).toEqual([
      `expected a whole number from 1 to 400, found "${text}"`,
    ])
  })
})
