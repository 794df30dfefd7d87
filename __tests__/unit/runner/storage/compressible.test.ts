import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { isCompressible } from '../../../../src/runner/storage/compressible.ts'

const mebibyte = 1024 * 1024
const text = (megabytes: number) => Buffer.alloc(megabytes * mebibyte, 'city,temperature\n')

describe('whether compressing an artifact is worth its time', () => {
  let folder: string
  beforeEach(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'compressible-'))))
  afterEach(() => rm(folder, { recursive: true }))

  async function files(...contents: Buffer[]): Promise<string[]> {
    const paths = contents.map((_, index) => path.join(folder, String(index)))
    await Promise.all(contents.map((content, index) => writeFile(paths[index] ?? '', content)))
    return paths
  }

  it.each([
    ['a large text', [text(8)], true],
    ['a large archive', [randomBytes(8 * mebibyte)], false],
    ['a small archive: finding out takes longer', [randomBytes(mebibyte)], true],
    ['an archive with a short log', [randomBytes(8 * mebibyte), text(0.5)], false],
    ['an archive with a log as long', [randomBytes(8 * mebibyte), text(8)], true],
    [
      'an archive behind a header of text',
      [Buffer.concat([text(0.5), randomBytes(8 * mebibyte)])],
      false,
    ],
    ['a text that begins with an image', [Buffer.concat([randomBytes(mebibyte), text(8)])], true],
    ['no files', [], true],
  ])('%s', async (_, contents, expected) => {
    expect(await isCompressible(await files(...contents))).toBe(expected)
  })
})
