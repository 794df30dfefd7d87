/** Tests the facts of a run as JSON: the output `results`, and a line of results.jsonl. */
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { resultLine, resultsOutput } from '../../../../src/messages/batch/runs.ts'
import { inlineResult, oneLineJson } from '../../../../src/messages/json.ts'
import { rowOf } from '../../../../src/messages/row-of.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { batchRow, batchRows, stepFacts } from '../../../support/batch-rows.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { reportOf } from '../../../support/run-report.ts'

const asItIs = (text: string) => text

describe('the output results', () => {
  it('has nine facts of each run', () => {
    const failed = {
      conclusion: 'error',
      cause: 'ValueError: no rows',
      execution_count: 2,
    } as const
    const files = { result_file: '5-Koln/result.json', log_file: '5-Koln/run.log' }
    const rows = [
      batchRow({ number: 5, label: 'Köln', ...failed, ...files }),
      batchRow({ number: 10, conclusion: 'not-started' }),
    ]

    const known = { number: 5, label: 'Köln', execution_id: 'id-5', duration_seconds: 130 }
    const none = { label: null, execution_id: null, duration_seconds: null, cause: null }
    expect(JSON.parse(resultsOutput(rows, asItIs))).toEqual([
      { ...known, ...failed, ...files },
      {
        ...none,
        number: 10,
        conclusion: 'not-started',
        execution_count: 0,
        result_file: null,
        log_file: null,
      },
    ])
  })

  it('is empty above 120 KiB, and complete below', () => {
    const empty = resultsOutput(batchRows([{ label: '' }]), asItIs).length
    const fitting = '€'.repeat((120 * 1024 - empty) / 3)

    const whole = resultsOutput(batchRows([{ label: fitting }]), asItIs)
    expect(Buffer.byteLength(whole)).toBeGreaterThan(120 * 1024 - 3)
    expect(resultsOutput(batchRows([{ label: `${fitting}€` }]), asItIs)).toBe('')
  })
})

describe('a line of results.jsonl', () => {
  it('has all facts of the run, and ends with the unchanged result', () => {
    const facts = rowOf(reportOf(), stepFacts)
    const row = batchRow({ label: 'Bern', result_file: '1-Bern/result.json', facts })
    const line = resultLine(row, '{"n":1.0}', asItIs)

    expect(line).toMatch(/^\{"number":1,"label":"Bern",.*,"result":\{"n":1\.0\}\}\n$/)
    expect(JSON.parse(line)).toEqual({
      number: 1,
      label: 'Bern',
      execution_id: '3fa85f64',
      execution_url: null,
      project: 'demo',
      automation: 'report',
      conclusion: 'success',
      execution_count: 0,
      duration_seconds: 130,
      cause: null,
      result_file: '1-Bern/result.json',
      log_file: null,
      started_at: expect.stringMatching(/Z$/),
      finished_at: expect.stringMatching(/Z$/),
      executions: [],
      status: expect.objectContaining({ finished: true }),
      result_problems: null,
      workflow_run: { run_id: '4200' },
      action: expect.stringMatching(/^run-automation /),
      result: { n: 1 },
    })
    const unknown = resultLine(batchRow({ conclusion: 'not-started' }), 'null', asItIs)
    expect(Object.keys(JSON.parse(unknown) as object)).toEqual(
      Object.keys(JSON.parse(line) as object),
    )
  })

  it('shows no secret, whatever the texts are, and keeps the texts of this action', () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse', 'success', '1-x/r.json')
    const text = hostileText.map((words) => `${words}correct-horse`)
    fc.assert(
      fc.property(text, text, (label, cause) => {
        const texts = {
          execution_id: cause,
          execution_url: cause,
          project: cause,
          automation: cause,
        }
        const problems = { count: 1, first: [cause] }
        const more = { result_problems: problems, workflow_run: { ref: cause } }
        const own = { conclusion: 'success', result_file: '1-x/r.json' } as const
        const row = batchRow({ label, cause, ...texts, ...more, ...own })
        const line = resultLine(row, undefined, secrets.show)

        expect(JSON.parse(line)).toMatchObject({ label: secrets.show(label), ...own })
        expect(line).not.toContain('correct-horse')
      }),
    )
  })
})

describe('a result within such a line', () => {
  it.each([
    ['numbers', '{"a":12345678901234567890,"b":1.0,"c":1e400,"a":-0.0}'],
    ['strings', '[" \\n  two   spaces ","\u2028\u00a0"]'],
    ['a text on one line', '{ "a" :  1 }'],
  ])('is as it was written: %s', (_what, text) => {
    expect(inlineResult(text, 'r.json')).toBe(text)
  })

  it('that was written on several lines is on one line, with or without a byte order mark', () => {
    const text = '\uFEFF{\r\n  "a": 1.0,\n\n\t"b": "x\\ny"\n}\n'

    expect(inlineResult(text, 'r.json')).toBe('{"a": 1.0,"b": "x\\ny"}')
  })

  it.each([
    ['is text', 'r.txt', '2026'],
    ['is broken JSON', 'r.json', '{"a":1'],
    ['has a line break inside a string', 'r.json', '{"text":"line one\n   line two"}'],
    ['has a line break inside a number', 'r.json', '[1\n2]'],
    ['is nested too deep', 'r.json', '['.repeat(100_000)],
  ])('is left out if it %s', (_what, name, text) => {
    expect(inlineResult(text, name)).toBeUndefined()
  })

  it('counts as JSON if it is a list in any file, or a number in a JSON file', () => {
    expect([inlineResult('[1]', 'r.bin'), inlineResult('2026', 's.json')]).toEqual(['[1]', '2026'])
  })
})

describe('a seed on one line', () => {
  it('is the same value, whatever it contains and however it was written', () => {
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

  it('takes no more than linear work', () => {
    for (const part of [' ', '\n', '\n ', ' \n']) {
      const text = `{"a":"${' '.repeat(500_000)}"${part.repeat(500_000)}}`
      expect(oneLineJson(text)).toMatch(/^\{"a":" +" *\}$/)
    }
  })
})
