import { realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { run, send } from './caller.ts'

/** The programs of the automations, by name. */
const programs: Record<string, string> = {
  'with-cause': `
    export default function report() {
      try { JSON.parse('{') } catch (cause) { throw new RangeError('no report', { cause }) }
    }`,
  'throws-text': `export default () => { throw 'just text' }`,
  'cannot-load': `import 'node:absent'\nexport default () => 1`,
  'leaves-early': `export default () => { process.exit(0) }`,
  'never-answers': `export default () => new Promise(() => undefined)`,
  'breaks-stream': `
    async function* pages() { yield 'page 1'; throw new Error('page 2 is missing') }
    export default () => ({ contentType: 'text/csv', body: pages() })`,
}

describe('the host of an automation', () => {
  let temporary: TemporaryFolder
  let folder = ''
  let sandbox: Sandbox
  beforeAll(async () => {
    // Stacks name real paths, and the temporary folder of some machines is a link.
    temporary = await makeTemporaryFolder()
    folder = await realpath(temporary.path)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(folder, `${name}.ts`), text)
    }
    sandbox = await openSandbox({ automations: folder })
  })
  afterAll(async () => {
    await sandbox.close()
    await temporary[Symbol.asyncDispose]()
  })

  async function endOf(automation: string) {
    const { record, resultUrl, logsUrl } = await run(sandbox, automation)
    const [result, log] = await Promise.all([send(resultUrl), send(logsUrl)])
    return { record, result, log: log.text }
  }

  it('prints an error after its cause', async () => {
    const { record, log } = await endOf('with-cause')
    expect(record['error']).toBe(true)
    expect(log.match(/Traceback \(most recent call last\):/g)).toHaveLength(2)
    expect(log).toMatch(/\nSyntaxError: .*\n\nThe above exception was the direct cause of the/)
    expect(log).toContain(`File "${join(folder, 'with-cause.ts')}", line 3, in report\n`)
    expect(log).toMatch(/\nValueError: no report\n$/)
  })

  it.each([
    ['throws-text', 'RuntimeError: just text'],
    ['cannot-load', 'No such built-in module: node:absent'],
    ['breaks-stream', 'RuntimeError: page 2 is missing'],
  ])('%s is an error with a traceback', async (automation, words) => {
    const { record, result, log } = await endOf(automation)
    expect(result.text).toBe('null')
    expect(record).toMatchObject({ finished: true, error: true, container_error: false })
    expect(log).toContain('Traceback (most recent call last):')
    expect(log).toContain(words)
  })

  it.each(['leaves-early', 'never-answers'])('%s is a container error', async (automation) => {
    const { record, result } = await endOf(automation)
    expect(record).toMatchObject({ finished: true, error: false, container_error: true })
    expect(result.text).toBe('null')
  })
})
