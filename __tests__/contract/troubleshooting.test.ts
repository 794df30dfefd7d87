import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import { titleOf, type FailureKind } from '../../src/messages/failure.ts'
import { collectMessages, messagesIn, type Messages } from './messages.ts'

type KindsOfFailure = { [Kind in FailureKind['kind']]: Extract<FailureKind, { kind: Kind }> }

// One of each kind: the types tell of a kind that is missing here.
const failures: KindsOfFailure = {
  error: { kind: 'error' },
  'container-error': { kind: 'container-error' },
  stopped: { kind: 'stopped' },
  'timed-out': { kind: 'timed-out', timeout: 1, checks: 1, failedChecks: 0 },
  cancelled: { kind: 'cancelled', ended: false },
  'not-started': { kind: 'not-started', why: '', hint: '' },
  'unknown-start': { kind: 'unknown-start', why: '' },
  'credentials-refused': { kind: 'credentials-refused', status: 401, words: '' },
  'checks-refused': { kind: 'checks-refused', status: 400, words: '' },
  'not-found': { kind: 'not-found', words: '' },
  'result-not-fetched': { kind: 'result-not-fetched', why: '' },
  'copy-not-written': { kind: 'copy-not-written', input: '', why: '' },
  'outputs-not-written': { kind: 'outputs-not-written', why: '' },
}
const failureTitles = Object.values(failures).map((failure) => titleOf(failure, '…'))

/** What the table is searched for: the words in code of its first column. */
function keysOf(readme: string): string[] {
  const [, section = ''] = /^## Troubleshooting\n(.*?)^## /ms.exec(readme) ?? []
  const cells = [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, key = '']) => key))
}

describe('the README’s troubleshooting', () => {
  let keys: string[]
  let messages: Messages

  beforeAll(async () => {
    keys = keysOf(await readFile(path.join(root, 'README.md'), 'utf8'))
    messages = await collectMessages(root)
  })

  it('has an entry for every way in which a run fails', () => {
    expect(failureTitles.filter((title) => !keys.includes(title))).toEqual([])
  })

  it('has an entry for every other error', () => {
    const missing = messages.titles.filter(({ text }) => !keys.includes(text))
    expect(missing).toEqual([])
  })

  it('has an entry for every warning and notice', () => {
    const missing = messages.notes.filter(({ text }) => !keys.some((key) => text.includes(key)))
    expect(missing).toEqual([])
  })

  it('has none for what is not told any more', () => {
    const texts = [...failureTitles, ...[...messages.titles, ...messages.notes].map((m) => m.text)]
    expect(keys.filter((key) => !texts.some((text) => text.includes(key)))).toEqual([])
  })

  it('was looked up for every warning and notice there is', () => {
    expect(messages.unread).toEqual([])
    expect(messages.notes.length).toBeGreaterThan(5)
    expect(messages.titles.length).toBeGreaterThan(5)
  })
})

describe('the texts of a source', () => {
  it('are the titles of errors, and the warnings and notices, whichever way they are written', () => {
    const source = `
      const title = \`Project \${name} is gone\`
      throw new ActionError('Why.', { title: count === 1 ? 'One' : 'Some', hint: '' })
      log.warning(\`It's \${why}.\`)
      step.log.notice(
        isOver ? 'Over (at last).' : "It isn't over",
      )
      const text = \`Named: \${kind}\`
      log.notice(text)`
    const { titles, notes, unread } = messagesIn(source, 'x.ts')
    expect(titles.map(({ text }) => text)).toEqual(['Project … is gone', 'One', 'Some'])
    expect(notes.map(({ text }) => text)).toEqual([
      "It's ….",
      'Over (at last).',
      "It isn't over",
      'Named: …',
    ])
    expect(unread).toEqual([])
  })

  it('that cannot be made out are told', () => {
    expect(messagesIn('log.warning(makeText())', 'x.ts').unread).toEqual(['x.ts'])
  })
})
