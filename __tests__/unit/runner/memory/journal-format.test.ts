import { gzipSync } from 'node:zlib'
import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import {
  isJournalKey,
  type Journal,
  journalKey,
  type JournalRun,
  nameOf,
  readJournal,
  writeJournal,
} from '../../../../src/runner/memory/journal-format.ts'
import { parseKey, recordPrefix } from '../../../../src/runner/memory/record.ts'

const prefix = recordPrefix('4200', '0123456789abcdef')
const key = 'a'.repeat(32)
const first = nameOf({ key, occurrence: 0 })
const second = nameOf({ key, occurrence: 1 })
const bytes = (text: string) => Buffer.from(text)

describe('the key of a journal', () => {
  const made = journalKey(prefix, { attempt: 2, openedAt: new Date(1_700_000_000_000), number: 3 })

  it('is frozen: another version of the action finds what this one left', () => {
    expect(made).toBe('run-automation-4200-0123456789abcdef-2-journal-1700000000000-3')
    expect(isJournalKey(prefix, made)).toBe(true)
  })

  it('is no record of a single run, and those are no journals', () => {
    expect(parseKey(prefix, made)).toBeUndefined()
    for (const record of ['2-unknown', '2-abcd', '2-abcd-told-success', '2-journal-1-', '']) {
      expect(isJournalKey(prefix, `${prefix}${record}`)).toBe(false)
    }
    expect(isJournalKey('another-', made)).toBe(false)
  })
})

describe('the content of a journal', () => {
  const journal: Journal = {
    attempt: 2,
    closed: true,
    complete: false,
    runs: new Map<string, JournalRun>([
      [first, { state: 'running', executionId: 'exec-1' }],
      [second, { state: 'unknown' }],
    ]),
  }
  const text = `{"version":1,"attempt":2,"closed":true,"complete":false,"runs":[["${first}","running","exec-1"],["${second}","unknown"]]}`

  it('is frozen, and read as it was written', () => {
    expect(Buffer.from(writeJournal(journal)).toString()).toBe(text)
    expect(readJournal(bytes(text))).toEqual(journal)
  })

  it('may have more than this version knows', () => {
    expect(readJournal(bytes(text.replace('{', '{"later":1,')))).toEqual(journal)
  })

  it.each([
    ['nothing', ''],
    ['half of it', text.slice(0, 60)],
    ['another version', text.replace('"version":1', '"version":2')],
    ['no list', text.replace(/"runs":.*/, '"runs":{}}')],
    ['an attempt that is none', text.replace('"attempt":2', '"attempt":1e99')],
    ['an id with a line break', text.replace('exec-1', 'exec\\n::set-output::')],
    ['an id that is a path', text.replace('exec-1', '..')],
    ['an id with spaces around it', text.replace('exec-1', ' exec-1')],
    ['an id that is too long', text.replace('exec-1', 'x'.repeat(201))],
    ['a number for an id', text.replace('"exec-1"', '7')],
    ['no id of a run that goes on', text.replace('"running","exec-1"', '"running"')],
    ['an id of a start without one', text.replace('"unknown"', '"unknown","exec-2"')],
    ['a state that is none', text.replace('"unknown"', '"told"')],
    ['a name that is none', text.replace(second, '__proto__')],
    ['one seed twice', text.replace(second, first)],
  ])('is unreadable with %s', (_, broken) => {
    expect(readJournal(bytes(broken))).toBeUndefined()
  })

  it('is unreadable where it is no UTF-8', () => {
    expect(readJournal(Buffer.concat([bytes(text.slice(0, -1)), Buffer.from([0xff])]))).toBe(
      undefined,
    )
  })

  it('is well under 1 MB for 10,000 seeds, as the cache compresses it', () => {
    const hash = (text: string) => createHash('sha256').update(text).digest('hex')
    const uuid = (text: string) =>
      hash(text).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5')
    const runs = Array.from({ length: 10_000 }, (_, index): [string, JournalRun] => {
      const seed = { key: hash(`seed ${index}`).slice(0, 32), occurrence: index % 3 }
      return [nameOf(seed), { state: 'success', executionId: uuid(`id ${index}`) }]
    })
    const large = { ...journal, runs: new Map(runs) }
    const content = writeJournal(large)
    expect(gzipSync(content).length).toBeLessThan(600_000)
    expect(readJournal(content)).toEqual(large)
  })
})
