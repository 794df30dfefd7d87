import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { openSandbox, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'
import { run, send } from './caller.ts'

/** The programs of the automations. */
const programs: Record<string, string> = {
  'with-cause.ts': `
    export default function report() {
      try { JSON.parse('{') } catch (cause) { throw new RangeError('no report', { cause }) }
    }`,
  'throws-text.ts': `export default () => { throw 'just text' }`,
  'cannot-load.ts': `import 'node:absent'\nexport default () => 1`,
  'leaves-early.ts': `export default () => { process.exit(0) }`,
  'never-answers.ts': `export default () => new Promise(() => undefined)`,
  'breaks-stream.ts': `
    async function* pages() { yield 'page 1'; throw new Error('page 2 is missing') }
    export default () => ({ contentType: 'text/csv', body: pages() })`,
}

describe('the host of an automation', () => {
  let temporary: TemporaryFolder
  let sandbox: Sandbox
  beforeAll(async () => {
    temporary = await makeTemporaryFolder({ 'package.json': '{"type":"module"}', ...programs })
    sandbox = await openSandbox({ automations: temporary.path })
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
    expect(log).toContain(`File "${join(temporary.path, 'with-cause.ts')}", line 3, in report\n`)
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
