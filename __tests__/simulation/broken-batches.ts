/** Batches that each violate an invariant. They show that the checks find the violations. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Row } from '../../sandbox/simulation/batch-files.ts'
import { productActions } from '../../sandbox/simulation/product-actions.ts'
import type { Action } from '../../sandbox/simulation/simulated-step.ts'
import type { Link } from '../../src/service/contract.ts'
import type { Store } from '../../src/download/store.ts'
import { HttpError, NetworkError } from '../../src/service/service-errors.ts'
import {
  damaged,
  withCheck,
  withFile,
  withStart,
  withStorage,
  withValues,
} from './broken-actions.ts'

const { batch } = productActions

export const miscounts = withValues(batch, (name, value) =>
  name === 'failed' ? `${value}1` : value,
)

export const concludesSuccess = withValues(batch, (name, value) =>
  name === 'conclusion' ? 'success' : value,
)

export const mixesTheOrder = withRows((rows) => rows.toReversed())

export const losesTheIds = withRows((rows) => rows.map((row) => ({ ...row, execution_id: null })))

export const joinsRuns = withRows((rows) =>
  rows.map((row) => ({ ...row, conclusion: 'success', execution_id: 'one' })),
)

export const waitsAfterTheStop: Action = async (step, connect) => {
  const verdict = await batch(step, connect)
  await step.clock.sleep(60_000)
  return verdict
}

export const startsAgainAtOnce = withStart(batch, ({ send }) => send().catch(send))

export const checksTwice = withCheck(batch, async (send) => {
  await send()
  return send()
})

export const ignoresRetryAfter = withRefusals((error) =>
  Object.assign(error, { retryAfter: undefined }),
)

/** Treats refused credentials as a lost answer. */
export const ignoresRefusedCredentials = withRefusals((error) =>
  [401, 403].includes(error.status) ? new NetworkError('lost', { mayHaveArrived: true }) : error,
)

/** Treats refused credentials that were accepted before as a busy service. */
export const treatsRefusalsAsBusy = withRefusals((error) =>
  error.isProven ? Object.assign(error, { status: 429 }) : error,
)

export const runsAllAtOnce: Action = (step, connect) => {
  const environment = { ...step.environment, 'INPUT_MAX-PARALLEL': '200' }
  return batch({ ...step, environment }, connect)
}

/** Downloads each result 20 times as soon as there is a link, without a limit. */
export const downloadsWithoutLimit = damaged(batch, ({ service, store }) => {
  const check = service.executionStatus.bind(service)
  service.executionStatus = async (...asked) => {
    const status = await check(...asked)
    void downloadAgain(20, status.result_url, store).catch(() => undefined)
    return status
  }
})

async function downloadAgain(times: number, link: Link, store: Store): Promise<void> {
  if (!link || times === 0) return
  const { body, close } = await store.open(link, new AbortController().signal)
  try {
    for await (const chunk of body) if (chunk.length < 0) break
  } finally {
    close()
  }
  await downloadAgain(times - 1, link, store)
}

/** Does not see the flags in the first valid answer about each execution. */
export const overlooksTheFirstFlags: Action = (step, connect) => {
  const seen = new Set<string>()
  const none = { finished: false, error: false, stopped: false, container_error: false }
  const forgetful = withCheck(batch, async (send, id) => {
    const status = await send()
    const shown = seen.has(id) ? status : { ...status, ...none }
    seen.add(id)
    return shown
  })
  return forgetful(step, connect)
}

export const forgetsItsRecord = withStorage(batch, () => ({ save: () => Promise.resolve() }))

/** Treats each save as successful. */
export const trustsEachSave = withStorage(batch, (storage) => ({
  save: (...asked) => storage.save(...asked).catch(() => undefined),
}))

export const writesElsewhere: Action = async (step, connect) => {
  const { RUNNER_TEMP: folder = '' } = step.environment
  await writeFile(path.join(folder, '..', 'elsewhere'), '')
  return batch(step, connect)
}

/** Changes the errors of refused starts. */
function withRefusals(change: (error: HttpError) => Error): Action {
  return withStart(batch, ({ send }) =>
    send().catch((error: unknown) => {
      throw error instanceof HttpError ? change(error) : error
    }),
  )
}

/** Changes the rows of the written results. */
function withRows(change: (rows: Row[]) => Row[]): Action {
  return withFile(batch, 'results-file', async (file) => {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1)
    const rows = change(lines.map((line) => JSON.parse(line) as Row))
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  })
}
