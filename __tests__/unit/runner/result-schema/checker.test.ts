/** The thread that checks results: its bounds, its order, and files that are no JSON. */
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { systemClock, type Clock } from '../../../../src/clock.ts'
import type { SchemaProblems } from '../../../../src/execution/result-problems.ts'
import { findSchemaProblems, ResultChecker } from '../../../../src/runner/result-schema/checker.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const workerFile = fileURLToPath(
  new URL('../../../../src/runner/result-schema/worker.ts', import.meta.url),
)
const clock = systemClock
/** For what takes seconds on a busy machine. */
const patient: Clock = {
  ...systemClock,
  sleep: (_, until) => systemClock.sleep(600_000, until),
}

/** Each problem as one text. */
function linesOf(found: SchemaProblems | undefined): string[] {
  return (found?.problems ?? []).map(
    ({ place, expected, found }) =>
      `"${place}" ${expected}${found === undefined ? '' : ` ${found}`}`,
  )
}

async function check(
  schema: unknown,
  result: string | Buffer,
  { cancelled = new AbortController(), clock = systemClock } = {},
) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'result.json')
  await writeFile(file, result)
  const context = { workerFile, clock, cancelled: cancelled.signal }
  using checker = new ResultChecker(JSON.stringify(schema), context)
  return await checker.check(file)
}

describe('a schema', () => {
  it('is given up where it takes too long to compile, and where it is nested too deeply', async () => {
    const deep = `${'{"not":'.repeat(50_000)}true${'}'.repeat(50_000)}`
    const many = { allOf: Array.from({ length: 50_000 }, (_, index) => ({ minimum: index })) }

    expect(linesOf(await findSchemaProblems(deep, { workerFile, clock }))[0]).toMatch(/deep/)
    const found = await findSchemaProblems(JSON.stringify(many), { workerFile, clock })
    expect(linesOf(found).join()).toMatch(/^$|did not finish in 5 s|too many parts/)
  })

  it('has 5 s to compile, so that a result can be checked by it within 20 s elsewhere', async () => {
    const hurried: Clock = {
      ...systemClock,
      sleep: (span, until) => systemClock.sleep(span <= 5_000 ? 1 : 600_000, until),
    }
    const found = await findSchemaProblems('{}', { workerFile, clock: hurried })

    expect(linesOf(found)).toEqual(['"" it could not be compiled: that did not finish in 5 s'])
    expect(await check({}, '1', { clock: hurried })).toBeUndefined()
  })
})

describe('a result', () => {
  it('that is no JSON is described, and that does not end the thread', async () => {
    await using folder = await makeTemporaryFolder()
    const context = { workerFile, clock: patient, cancelled: new AbortController().signal }
    using checker = new ResultChecker('{"type": "array"}', context)
    const results: [string | Buffer, string][] = [
      ['', 'it is empty'],
      [' \n', 'it is empty'],
      ['name,price\n', 'it is not JSON: a text with an unexpected "n" at line 1, column 1'],
      ['[1', 'it is not JSON: unexpected end of input at line 1, column 3'],
      [Buffer.from([0x22, 0xff, 0x22]), 'it is not JSON, since it is not UTF-8'],
      [Buffer.alloc(64 * 2 ** 20 + 1, ' '), 'it is larger than 64 MiB, the most that is checked'],
      [`${'['.repeat(1e6)}${']'.repeat(1e6)}`, ''],
    ]
    const file = path.join(folder.path, 'result')
    for (const [result, expected] of results) {
      await writeFile(file, result)
      expect(linesOf(await checker.check(file))).toEqual(expected === '' ? [] : [`"" ${expected}`])
    }
    await writeFile(file, '\ufeff[1]')
    expect(await checker.check(file)).toBeUndefined()
    expect(linesOf(await checker.check('/nowhere/result.json'))).toEqual([
      '"" its file on the runner cannot be read: no such file or directory (ENOENT)',
    ])
  })

  it('that is nested too deeply for its schema is described', async () => {
    const found = await check({ items: { $ref: '#' } }, `${'['.repeat(1e5)}${']'.repeat(1e5)}`)

    expect(linesOf(found)[0]).toContain('it is nested too deeply')
  })

  it('with a million problems is described by the first 20', async () => {
    const found = await check({ items: { type: 'string' } }, `[${'1,'.repeat(999_999)}1]`)

    expect([found?.problems.length, found?.count]).toEqual([20, 1_000_000])
  })

  it('whose check does not end is invalid, and the next one is checked', async () => {
    await using folder = await makeTemporaryFolder()
    const [endless, small] = ['endless', 'small'].map((name) => path.join(folder.path, name))
    await writeFile(String(endless), `"${'a'.repeat(60)}!"`)
    await writeFile(String(small), '"a"')
    const { signal } = new AbortController()
    // Only the first check is out of time, and at once.
    let isLate = true
    const hurried: Clock = {
      ...systemClock,
      sleep: (span, until) => {
        const isNow = isLate
        isLate = false
        return systemClock.sleep(isNow ? 1 : span, until)
      },
    }
    const context = { workerFile, clock: hurried, cancelled: signal }
    using checker = new ResultChecker('{"pattern": "^(a+)+$"}', context)
    const first = checker.check(String(endless))

    expect(linesOf(await first)).toEqual([
      '"" it could not be checked: that did not finish in 20 s',
    ])
    expect((await first)?.isUnchecked).toBe(true)
    expect(await checker.check(String(small))).toBeUndefined()
  })

  it('is not checked after the time for all checks', async () => {
    const until = AbortSignal.abort()
    const context = { workerFile, clock, cancelled: new AbortController().signal }
    using checker = new ResultChecker('{}', context)
    const found = await checker.check('/nowhere/result.json', until)

    expect(linesOf(found)).toEqual([
      '"" it could not be checked: the 60 s for checks after the timeout were over',
    ])
    expect(found?.isUnchecked).toBe(true)
  })

  it('is given up at once where the step is cancelled, whatever its pattern does', async () => {
    const cancelled = new AbortController()
    const checking = check({ pattern: '^(a+)+$' }, `"${'a'.repeat(60)}!"`, { cancelled })
    cancelled.abort(new Error('cancelled by a test'))

    await expect(checking).rejects.toThrow('cancelled by a test')
  })
})
