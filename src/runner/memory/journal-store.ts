/** Where the journals of a step lie: files in the Actions cache. What fails is said, and no more. */
import { type Clock, Deadline } from '../../clock.ts'
import { describeLate, describeUnsaved } from '../../messages/memory.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import type { Log } from '../log.ts'
import type { SaveReport } from '../storage/cache-client.ts'
import type { Answer, Storage } from '../storage/step-storage.ts'
import {
  isJournalKey,
  type Journal,
  journalKey,
  readJournal,
  writeJournal,
} from './journal-format.ts'
import { recordPrefix } from './record.ts'
import { RecordSaver } from './record-saver.ts'

export type FoundJournal =
  | { kind: 'found'; journal: Journal }
  | { kind: 'nothing' }
  /** Nobody knows whether there is one. `why` may be shown: it is free of secrets. */
  | { kind: 'unreadable'; why: string }

export interface JournalStore {
  /** The newest journal of this step in this workflow run. Never rejects; takes at most 10 s. */
  find(): Promise<FoundJournal>
  /**
   * Saves the journal as `latest` gives it when its turn comes, after the saves before it; one that
   * waits gives way to a newer one. Never rejects. Need not be awaited: `close` does that.
   */
  save(latest: () => Journal): Promise<void>
  /** At the step's end: what is not saved within 3 s is given up. */
  close(): Promise<void>
}

export interface JournalStoreContext {
  /** `GITHUB_RUN_ID`: digits. */
  runId: string
  attempt: number
  /** Of this step (identity.ts). */
  identity: string
  storage: Pick<Storage, 'saveFile' | 'restoreFile'>
  log: Pick<Log, 'info' | 'debug'>
  secrets: Pick<Secrets, 'words'>
  clock: Clock
  cancelled: AbortSignal
}

/** Milliseconds, the download included. Starts wait that long. */
const longestFind = 10_000
/** Bytes. 10,000 runs take 0.8 MB, and 9 MB with the longest ids. */
const largest = 16 * 2 ** 20
/** Milliseconds. Some caches know to the second which entry is the newest. */
const resolution = 1_000
const executions = 'these executions'

export function openJournalStore(context: JournalStoreContext): JournalStore {
  const { runId, identity, attempt, secrets, log, clock } = context
  const prefix = recordPrefix(runId, identity)
  const openedAt = clock.date()
  let number = 0
  let latest: (() => Journal) | undefined
  let lastSaveAt = -Infinity
  const saver = new RecordSaver({
    log,
    clock,
    executions,
    words: (text) => secrets.words(text),
    save: async (key, signal) => {
      const rest = lastSaveAt + resolution - clock.now()
      await clock.sleep(rest, signal).catch(() => undefined)
      const answer = await saveNow(key, latest, signal, context)
      lastSaveAt = clock.now()
      return answer
    },
  })
  return {
    find: () => find(prefix, context),
    save: async (given) => {
      latest = given
      number += 1
      await saver.save(journalKey(prefix, { attempt, openedAt, number }))
    },
    close: () => saver.close(),
  }
}

/** For a step that can't be told from others: it finds and saves nothing, and says why. */
export function withoutJournals(why: string, log: Pick<Log, 'info'>): JournalStore {
  let said = false
  return {
    find: () => Promise.resolve({ kind: 'unreadable', why }),
    save: () => {
      if (!said) log.info(describeUnsaved(why, executions))
      said = true
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}

/** What both attempts know, and no other step on the same machine. */
function fileName({ runId, identity }: JournalStoreContext): string {
  return `${runId}-${identity}`
}

async function saveNow(
  key: string,
  latest: (() => Journal) | undefined,
  signal: AbortSignal,
  context: JournalStoreContext,
): Promise<Answer<SaveReport>> {
  if (signal.aborted || !latest) return { kind: 'given-up', lastLine: undefined }
  const content = writeJournal(latest())
  if (content.length > largest) {
    return { kind: 'failure', name: 'Error', message: `it is larger than ${largest} bytes` }
  }
  return context.storage.saveFile({ key, name: fileName(context), content }, signal)
}

async function find(prefix: string, context: JournalStoreContext): Promise<FoundJournal> {
  const { storage, secrets, log, clock, cancelled } = context
  const unreadable = (why: string): FoundJournal => ({
    kind: 'unreadable',
    why: secrets.words(why),
  })
  using deadline = new Deadline(clock, longestFind, cancelled)
  const order = {
    prefix,
    name: fileName(context),
    accepts: (key: string) => isJournalKey(prefix, key),
    maxSize: largest,
  }
  const answer = await storage.restoreFile(order, deadline.signal)
  if (answer.kind === 'failure') return unreadable(answer.message)
  if (answer.kind === 'given-up') {
    if (cancelled.aborted) return unreadable('the step was cancelled')
    return unreadable(describeLate(longestFind, answer.lastLine))
  }
  const { report } = answer
  if (report.kind === 'none') return { kind: 'nothing' }
  if (report.kind === 'failed') return unreadable(report.why)
  log.debug(`The newest record of this step: ${report.key}`)
  const journal = report.kind === 'found' ? readJournal(report.content) : undefined
  if (journal) return { kind: 'found', journal }
  return unreadable('the newest record is broken, or was written by another version of this action')
}
