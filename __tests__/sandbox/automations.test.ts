import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { run, send } from './caller.ts'

describe('the automations', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await openSandbox()
  })
  afterAll(() => sandbox.close())

  /** Runs one and gives what its links lead to. */
  async function results(automation: string, seed = {}) {
    const { record, resultUrl, logsUrl } = await run(sandbox, automation, { seed })
    const [result, log] = await Promise.all([send(resultUrl), send(logsUrl)])
    return { record, result, log, type: result.headers['content-type'] }
  }

  it("word-report counts the repository's own Markdown", async () => {
    const { result, log } = await results('word-report')
    const rows = JSON.parse(result.text) as { file: string; words: number; lines: number }[]
    const readme = rows.find(({ file }) => file === 'README.md')
    const text = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
    expect(readme?.lines).toBe(text.trimEnd().split('\n').length)
    expect(readme?.words).toBeGreaterThan(100)
    expect(rows.map(({ words }) => words)).toEqual(
      rows.map(({ words }) => words).sort((a, b) => b - a),
    )
    expect(rows.filter(({ file }) => file.includes('node_modules'))).toEqual([])
    expect(log.text).toContain(`${rows.length} files, `)
    expect(JSON.parse((await results('word-report', { top: 1 })).result.text)).toEqual([rows[0]])
  })

  it('hostile-log prints what must not take effect, in the bytes it chose', async () => {
    const { result, log, record } = await results('hostile-log', { lineBytes: 10_000, fail: true })
    expect(record['error']).toBe(true)
    for (const text of [
      '::error::',
      '##[error]in',
      '::stop-commands::',
      '::add-mask::',
      '\u001b[31m',
    ]) {
      expect(log.text.replace('##[error]forged at', '##[error]in')).toContain(text)
    }
    expect(log.bytes.includes(Buffer.from([0x00, 0x20, 0xff, 0xfe, 0xc3, 0x28, 0x80]))).toBe(true)
    expect(Math.max(...log.text.split('\n').map((line) => line.length))).toBeGreaterThan(10_000)
    expect(log.text).toMatch(/\nRuntimeError: ::error::forged by the exception\n##\[error\]and its/)
    expect(result.text).toBe('null')
    expect((await results('hostile-log')).result.text).toContain('<script>')
  })
})
