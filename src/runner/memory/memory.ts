/**
 * What a step leaves for a later attempt of its job, and finds of an earlier one, in the Actions
 * cache. A key is a record (record.ts); what the cache cannot do is said and fails nothing.
 */
import { type Clock, Deadline } from '../../clock.ts'
import { describeLate, describeUnsaved, noCache } from '../../messages/memory.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import type { Environment } from '../inputs/environment.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../storage/step-storage.ts'
import { type EarlierExecution, keyOf, parseKey, recordPrefix } from './record.ts'
import { RecordSaver } from './record-saver.ts'

export type Found =
  | { kind: 'found'; record: EarlierExecution }
  | { kind: 'nothing' }
  /** Nobody knows whether there is a record. `why` may be shown: it is free of secrets. */
  | { kind: 'unreadable'; why: string }

export interface Memory {
  /** The newest record of this step in this workflow run. Never rejects; takes at most 10 s. */
  find(): Promise<Found>
  /**
   * Saves a record, after the ones before it; one that waits gives way to a newer one. Never
   * rejects. Need not be awaited: `close` does that.
   */
  remember(record: EarlierExecution): Promise<void>
  /** At the step's end: what is not saved within 3 s is given up. */
  close(): Promise<void>
}

export interface MemoryContext {
  environment: Environment
  storage: Pick<Storage, 'find' | 'save'>
  /** Of this step (identity.ts). */
  identity: string
  log: Pick<Log, 'info' | 'debug'>
  secrets: Pick<Secrets, 'words' | 'show'>
  clock: Clock
  cancelled: AbortSignal
}

/** Milliseconds. A start waits that long, so it must be short; a service that is up needs 0.1 s. */
const longestFind = 10_000
const pauseBeforeSecondTry = 1_000

export function openMemory(context: MemoryContext): Memory {
  const { environment, identity, storage, log, secrets, clock } = context
  const runId = environment['GITHUB_RUN_ID'] ?? ''
  // Without it, records of one workflow run would be found by another.
  if (runId === '') return withoutMemory('GITHUB_RUN_ID is not set', log)
  const prefix = recordPrefix(runId, identity)
  const saver = new RecordSaver({
    save: (key, signal) => storage.save(key, signal),
    words: (text) => secrets.words(text),
    log,
    clock,
  })
  return {
    find: () => find(prefix, context),
    remember: async (record) => {
      const key = keyOf(prefix, record)
      // Whoever may list caches can read a key.
      if (holdsSecret(record, secrets))
        log.info(describeUnsaved('the execution’s id holds a secret'))
      else if (key === undefined)
        log.info(describeUnsaved('the execution’s id is too long for a key'))
      else await saver.save(key)
    },
    close: () => saver.close(),
  }
}

/** For a step that can't be told from others: it finds and saves nothing, and says why. */
export function withoutMemory(why: string, log: Pick<Log, 'info'>): Memory {
  let said = false
  return {
    find: () => Promise.resolve({ kind: 'unreadable', why }),
    remember: () => {
      if (!said) log.info(describeUnsaved(why))
      said = true
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}

function holdsSecret(record: EarlierExecution, secrets: Pick<Secrets, 'show'>): boolean {
  if (record.kind === 'unknown') return false
  return !record.executionId.includes('***') && secrets.show(record.executionId).includes('***')
}

/** One reset connection must not start a second run beside one that goes on. */
function isPassing(answer: Awaited<ReturnType<Storage['find']>>): boolean {
  return (
    answer.kind === 'report' && answer.report.kind === 'failed' && answer.report.why !== noCache
  )
}

async function find(
  prefix: string,
  { storage, secrets, log, clock, cancelled }: MemoryContext,
): Promise<Found> {
  const unreadable = (why: string): Found => ({ kind: 'unreadable', why: secrets.words(why) })
  using deadline = new Deadline(clock, longestFind, cancelled)
  let answer = await storage.find(prefix, deadline.signal)
  if (isPassing(answer)) {
    await clock.sleep(pauseBeforeSecondTry, deadline.signal).catch(() => undefined)
    if (!deadline.signal.aborted) answer = await storage.find(prefix, deadline.signal)
  }
  if (answer.kind === 'failure') return unreadable(answer.message)
  if (answer.kind === 'given-up') {
    if (cancelled.aborted) return unreadable('the step was cancelled')
    return unreadable(describeLate(longestFind, answer.lastLine))
  }
  const { report } = answer
  if (report.kind === 'none') return { kind: 'nothing' }
  if (report.kind === 'failed') return unreadable(report.why)
  log.debug(`The newest record of this step: ${report.key}`)
  const record = parseKey(prefix, report.key)
  return record
    ? { kind: 'found', record }
    : unreadable('the newest record was written by another version of this action')
}
