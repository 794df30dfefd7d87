import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { failedSeedLines } from '../../../../src/messages/batch/failed-seeds.ts'
import { oneLineJson } from '../../../../src/messages/batch/one-line-json.ts'
import { resultLines, resultsOutput } from '../../../../src/messages/batch/results.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { allOf, runRecord, runRecords } from '../../../support/batch-records.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../../support/temporary-folder.ts'

const asItIs = (text: string) => text
const none = { label: null, cause: null, result_file: null, log_file: null }

describe('the output results', () => {
  it('is a JSON array in the order of the seeds', () => {
    const output = resultsOutput(
      [
        runRecord({
          index: 4,
          label: 'Köln',
          conclusion: 'error',
          cause: 'ValueError: no rows',
          attempts: [
            { executionId: 'a', conclusion: 'container-error' },
            { executionId: 'id-5', conclusion: 'error' },
          ],
          resultFile: '5-Koln/result.json',
          logFile: '5-Koln/run.log',
        }),
        runRecord({ index: 9, conclusion: 'not-started' }),
      ],
      asItIs,
    )

    expect(JSON.parse(output)).toEqual([
      {
        index: 4,
        label: 'Köln',
        execution_id: 'id-5',
        conclusion: 'error',
        attempts: 2,
        duration_seconds: 130,
        cause: 'ValueError: no rows',
        result_file: '5-Koln/result.json',
        log_file: '5-Koln/run.log',
      },
      {
        ...none,
        index: 9,
        execution_id: null,
        conclusion: 'not-started',
        attempts: 0,
        duration_seconds: null,
      },
    ])
  })

  it('is empty above 256 KiB, and whole right below', () => {
    const empty = resultsOutput(runRecords([{ label: '' }]), asItIs).length
    const fitting = '€'.repeat((256 * 1024 - empty) / 3)

    const whole = resultsOutput(runRecords([{ label: fitting }]), asItIs)
    expect(Buffer.byteLength(whole)).toBeGreaterThan(256 * 1024 - 3)
    expect(resultsOutput(runRecords([{ label: `${fitting}€` }]), asItIs)).toBe('')
  })

  it('of no runs is an empty array', () => {
    expect(resultsOutput([], asItIs)).toBe('[]')
  })

  it('is JSON with the label as it is and the cause without secrets, whatever they hold', () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse')
    fc.assert(
      fc.property(hostileText, hostileText, (label, cause) => {
        const record = runRecord({ label, cause: `${cause}correct-horse` })
        const output = resultsOutput([record], (text) => secrets.show(text))

        expect(JSON.parse(output)).toMatchObject([{ label }])
        expect(output).not.toContain('correct-horse')
      }),
    )
  })
})

describe('the lines of results.jsonl', () => {
  let folder: TemporaryFolder

  beforeEach(async () => {
    folder = await makeTemporaryFolder()
  })
  afterEach(() => folder[Symbol.asyncDispose]())

  async function linesOf(files: Record<string, string | Buffer>, limit?: number) {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(path.join(folder.path, name), content)
    }
    const records = runRecords(Object.keys(files).map((resultFile) => ({ resultFile })))
    const lines = await allOf(resultLines(records, folder.path, asItIs, limit))
    expect(lines.every((line) => /^\{[^\r\n]*\}\n$/.test(line))).toBe(true)
    return lines
  }

  it.each([
    ['numbers', '{"a":12345678901234567890,"b":1.0,"c":1e400,"a":-0.0}'],
    ['strings', '[" \\n  two   spaces ","\u2028\u00a0"]'],
    ['a text on one line', '{ "a" :  1 }'],
  ])('hold the text of a result that is JSON as it was written: %s', async (_what, text) => {
    const [line = ''] = await linesOf({ 'r.json': text })

    expect(line.endsWith(`,"result":${text}}\n`)).toBe(true)
  })

  it('hold one that was written on several lines on one, with a byte order mark or without', async () => {
    const [line = ''] = await linesOf({ 'r.json': '\uFEFF{\r\n  "a": 1.0,\n\n\t"b": "x\\ny"\n}\n' })

    expect(line).toContain('"result":{"a": 1.0,"b": "x\\ny"}}\n')
  })

  it.each<[string, string, string | Buffer]>([
    ['is text', 'r.txt', '2026'],
    ['is broken JSON', 'r.json', '{"a":1'],
    ['is no UTF-8', 'r.json', Buffer.from([0x22, 0xff, 0x22])],
    ['is nested too deep', 'r.json', '['.repeat(100_000)],
    ['is larger than 1 MiB', 'r.json', `"${'x'.repeat(1024 * 1024)}"`],
  ])('leave out a result that %s', async (_what, name, content) => {
    const [line = ''] = await linesOf({ [name]: content })

    expect(JSON.parse(line)).not.toHaveProperty('result')
    expect(JSON.parse(line)).toMatchObject({ result_file: name })
  })

  it('take JSON for what it is where its name says nothing, and a plain value where it does', async () => {
    const lines = await linesOf({ 'r.bin': '[1]', 's.json': '2026' })

    expect(lines.map((line) => (JSON.parse(line) as { result: unknown }).result)).toEqual([
      [1],
      2026,
    ])
  })

  it('hold no more results than the limit takes, and none where it is 0', async () => {
    const files = { 'a.json': '"1234"', 'b.json': '"12345"', 'c.json': '"1"', 'd.json': '"2"' }
    const inlined = (lines: string[]) => lines.map((line) => line.includes('"result":'))

    expect(inlined(await linesOf(files, 9))).toEqual([true, false, true, false])
    expect(inlined(await linesOf(files, 0))).toEqual([false, false, false, false])
  })

  it('go on without a result that is gone', async () => {
    const records = runRecords([{ resultFile: 'gone.json' }])

    expect(await allOf(resultLines(records, folder.path, asItIs))).toHaveLength(1)
  })
})

describe('the seeds worth another try', () => {
  it('are those that failed or were not started, in order, each on one line', () => {
    const conclusions = [
      'success',
      'error',
      'container-error',
      'stopped',
      'refused',
      'unknown',
      'timed-out',
      'cancelled',
      'not-started',
    ] as const
    const records = conclusions.map((conclusion, at) => runRecord({ index: 2 * at, conclusion }))
    const seeds = conclusions.map((_, at) => ({
      index: 2 * at,
      text: `{\n  "n": ${2 * at}.0,\n  "t": " \\n "\n}`,
    }))

    expect([...failedSeedLines(records, seeds)]).toEqual(
      [2, 4, 6, 8, 16].map((index) => `{"n": ${index}.0,"t": " \\n "}\n`),
    )
  })

  it('are the same values, whatever is in them and however they were printed', () => {
    const object = fc.dictionary(hostileText, fc.jsonValue())
    fc.assert(
      fc.property(object, fc.constantFrom(undefined, 2, '\t'), (value, indentation) => {
        const text = JSON.stringify(value, null, indentation).replaceAll('\n', '\r\n')
        const line = oneLineJson(text)

        expect(line).not.toMatch(/[\r\n]/)
        expect(JSON.parse(line)).toEqual(JSON.parse(text))
      }),
    )
  })

  it('take no more than linear work', () => {
    for (const part of [' ', '\n', '\n ', ' \n']) {
      const text = `{"a":"${' '.repeat(500_000)}"${part.repeat(500_000)}}`
      expect(oneLineJson(text)).toMatch(/^\{"a":" +" *\}$/)
    }
  })
})
