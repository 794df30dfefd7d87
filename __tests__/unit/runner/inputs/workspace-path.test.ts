import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { canBothBeWritten, workspacePath } from '../../../../src/runner/inputs/workspace-path.ts'
import { outcome, problemsOf } from './outcome.ts'

const workspace = path.resolve('/work', 'checkout')
const schema = workspacePath(workspace)

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
      `expected a path inside the workspace, found ${JSON.stringify(text)}`,
    ])
  })

  it.each(['.', './', 'out/', 'out/..', workspace])('%s is a folder', async (text) => {
    expect(await problemsOf(schema, text)).toEqual([
      `expected the path of a file, found the folder ${JSON.stringify(text)}`,
    ])
  })

  it.each([
    ['out\\a.json', 'C:\\checkout\\out\\a.json'],
    ['out/a.json', 'C:\\checkout\\out\\a.json'],
    ['c:\\checkout\\a.json', 'c:\\checkout\\a.json'],
  ])('%s lies in the workspace on Windows', async (text, absolute) => {
    expect(await outcome(workspacePath('C:\\checkout', path.win32), text)).toBe(absolute)
  })

  it.each(['..\\a.json', 'D:\\a.json', 'D:a.json', '\\a.json', '\\\\server\\share\\a.json'])(
    '%s leaves it on Windows',
    async (text) => {
      expect(await problemsOf(workspacePath('C:\\checkout', path.win32), text)).toEqual([
        expect.stringContaining('expected a path inside the workspace'),
      ])
    },
  )

  it('has no control characters', async () => {
    expect(await problemsOf(schema, 'a\u0000b')).toHaveLength(1)
  })
})

describe('two paths to write to', () => {
  it.each([
    ['out/a', 'out/a', false],
    ['out/a', 'OUT/A', false],
    ['out', 'out/a', false],
    ['out/a', 'out', false],
    ['out/a', 'out/ab', true],
    ['out/a', 'out/b', true],
  ])('%s and %s: room for both is %s', (one, other, expected) => {
    expect(canBothBeWritten(path.normalize(one), path.normalize(other))).toBe(expected)
  })
})
