/** Tests the worker that compiles a schema and checks results: limits, order, broken files. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { systemClock, type Clock } from '../../../../src/clock.ts'
import type { NotValidated, SchemaProblems } from '../../../../src/execution/result-problems.ts'
import { CompiledSchema } from '../../../../src/runner/result-schema/compiled-schema.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const workerFile = fileURLToPath(
  new URL('../../../../src/runner/result-schema/worker.ts', import.meta.url),
)
const never = new AbortController().signal
/** A clock with which no time limit passes on a busy machine. */
const patient: Clock = {
  ...systemClock,
  sleep: (_, until) => systemClock.sleep(600_000, until),
}

/** Returns each problem as one text. */
function linesOf(found: SchemaProblems | NotValidated | undefined): string[] {
  if (!found) return []
  if ('notValidated' in found) throw new Error(found.notValidated)
  return found.problems.map(
    ({ place, expected, found }) =>
      `"${place}" ${expected}${found === undefined ? '' : `, found ${found}`}`,
  )
}

async function compile(schema: string, clock: Clock = patient): Promise<CompiledSchema> {
  const compiled = await CompiledSchema.compile(schema, workerFile, clock)
  if ('problems' in compiled) throw new Error(linesOf(compiled).join())
  return compiled
}

async function check(schema: string, result: string) {
  await using folder = await makeTemporaryFolder()
  const file = path.join(folder.path, 'result.json')
  await writeFile(file, result)
  using compiled = await compile(schema)
  return await compiled.validate(file, never)
}

describe('a schema', () => {
  it('that is nested too deeply is refused', async () => {
    const deep = `${'{"not":'.repeat(50_000)}true${'}'.repeat(50_000)}`

    await expect(compile(deep)).rejects.toThrow(/deep/)
  })

  it('has 5 s to compile', async () => {
    const hurried: Clock = {
      ...systemClock,
      sleep: (span, until) => systemClock.sleep(span <= 5_000 ? 1 : 600_000, until),
    }

    await expect(compile('{}', hurried)).rejects.toThrow(
      '"" it could not be compiled: this did not finish in 5 s',
    )
  })

  it('is compiled once: the same worker checks the results', async () => {
    let opened = 0
    const count = () => (opened += 1)
    subscribe('worker_threads', count)
    try {
      await check('{"minimum": 1}', '1')
    } finally {
      unsubscribe('worker_threads', count)
    }

    expect(opened).toBe(1)
  })
})

describe('a result', () => {
  it('that is not JSON is described, and the worker checks the next one', async () => {
    await using folder = await makeTemporaryFolder()
    using schema = await compile('{"type": "array"}')
    const problemsOf = async (file: string) => linesOf(await schema.validate(file, never))
    const results: [string | Buffer, string][] = [
      ['', 'it is empty'],
      [' \n', 'it is empty'],
      ['name,price\n', 'it is not JSON, found a text with an unexpected "n" at line 1, column 1'],
      ['[1', 'it is not JSON, found unexpected end of input at line 1, column 3'],
      [Buffer.from([0x22, 0xff, 0x22]), 'it is not JSON, because it is not UTF-8'],
      [Buffer.alloc(64 * 2 ** 20 + 1, ' '), 'it is larger than 64 MiB, the most that is checked'],
      [`${'['.repeat(1e6)}${']'.repeat(1e6)}`, ''],
    ]
    const file = path.join(folder.path, 'result')
    for (const [result, expected] of results) {
      await writeFile(file, result)
      expect(await problemsOf(file)).toEqual(expected === '' ? [] : [`"" ${expected}`])
    }
    await writeFile(file, '\ufeff[1]')
    expect(await problemsOf(file)).toEqual([])
    expect(await schema.validate('/nowhere/result.json', never)).toEqual({
      notValidated: expect.stringContaining('no such file or directory'),
    })
    expect(await problemsOf(file)).toEqual([])
  })

  it('that is nested too deeply for its schema is not validated', async () => {
    const found = await check('{"items": {"$ref": "#"}}', `${'['.repeat(1e5)}${']'.repeat(1e5)}`)

    expect(found).toEqual({ notValidated: expect.stringContaining('it is nested too deeply') })
  })

  it('whose check does not end is not validated, and the next one is checked', async () => {
    await using folder = await makeTemporaryFolder()
    const [endless, small] = ['endless', 'small'].map((name) => path.join(folder.path, name))
    await writeFile(String(endless), `"${'a'.repeat(60)}!"`)
    await writeFile(String(small), '"a"')
    // Only the first check runs out of time, and at once.
    const spans: number[] = []
    const hurried: Clock = {
      ...systemClock,
      sleep: (span, until) => {
        const isFirst = span > 5_000 && spans.push(span) === 1
        return systemClock.sleep(isFirst ? 1 : 600_000, until)
      },
    }
    using schema = await compile('{"pattern": "^(a+)+$"}', hurried)
    const late = await schema.validate(String(endless), never)

    expect(late).toEqual({ notValidated: 'this did not finish in 20 s' })
    expect(await schema.validate(String(small), never)).toBeUndefined()
  })

  it('is not checked after the time for all checks has ended', async () => {
    using schema = await compile('{}')
    const found = await schema.validate('/nowhere/result.json', never, AbortSignal.abort())

    expect(found).toEqual({ notValidated: 'the 60 s for validations after the timeout had passed' })
  })

  it('is given up at once when the step is cancelled, even if its pattern never ends', async () => {
    await using folder = await makeTemporaryFolder()
    const file = path.join(folder.path, 'endless')
    await writeFile(file, `"${'a'.repeat(60)}!"`)
    using schema = await compile('{"pattern": "^(a+)+$"}')
    const cancellation = new AbortController()
    const checking = schema.validate(file, cancellation.signal)
    cancellation.abort(new Error('cancelled by a test'))

    await expect(checking).rejects.toThrow('cancelled by a test')
  })
})
