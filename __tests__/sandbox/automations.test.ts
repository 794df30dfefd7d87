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
    const { resultUrl, logsUrl } = await run(sandbox, automation, { seed })
    const [result, log] = await Promise.all([send(resultUrl), send(logsUrl)])
    return { result, log }
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
})
