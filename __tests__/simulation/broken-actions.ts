/** Actions that each violate an invariant. They show that the checks find the violations. */
import { appendFile, readFile } from 'node:fs/promises'
import { productActions } from '../../sandbox/simulation/product-actions.ts'
import { type SimulatedStep, type Action } from '../../sandbox/simulation/simulated-step.ts'
import { Deadline } from '../../src/clock.ts'
import { messageOf } from '../../src/errors.ts'
import { CutShort, noticeOf } from '../../src/messages/notice.ts'
import type { Connections } from '../../src/actions/connections.ts'
import { AnswerError, NetworkError } from '../../src/service/service-errors.ts'
import type { AutomationService } from '../../src/service/client.ts'
import { classify } from '../../src/service/classify.ts'
import { FinalError } from '../../src/download/retry.ts'
import type { Store } from '../../src/download/store.ts'
import type { Storage } from '../../src/runner/storage/step-storage.ts'
import type { CommitStatuses } from '../../src/runner/commit-status.ts'
import { Outputs } from '../../src/runner/outputs.ts'
import { passed } from '../../src/runner/step.ts'

const { run } = productActions

/** Treats every result as valid. */
export const ignoresTheSchema: Action = (step, connect) => {
  const without = { 'INPUT_RESULT-SCHEMA': '', 'INPUT_RETRY-ON': 'error' }
  return run({ ...step, environment: { ...step.environment, ...without } }, connect)
}

/** Prints nothing while it waits. */
export const hasNoHeartbeat: Action = (step, connect) =>
  run({ ...step, heartbeat: { begin: () => undefined } }, connect)

/** Always sends the start again. */
export const startsTwice = withStart(run, async ({ send }) => {
  await send().catch(() => undefined)
  return send()
})

/** Takes each id that an answer names for the id of its own start. */
export const followsAnyId = withStart(run, ({ send }) =>
  send().catch((error: unknown) => {
    if (!(error instanceof AnswerError) || error.executionId === undefined) throw error
    return { executionId: error.executionId, message: '', status: error.status }
  }),
)

/** Sends a start again after more than two minutes. */
export const startsLate = withStart(run, ({ send, step }) =>
  send().catch(async (error: unknown) => {
    if (classify(error) !== 'again') throw error
    await step.clock.sleep(121_000)
    return send()
  }),
)

/** Treats each start that was not accepted as refused. */
export const startsOnlyOnce = withStart(run, ({ send }) =>
  send().catch((error: unknown) => {
    throw new NetworkError(messageOf(error), { mayHaveArrived: false, isFinal: true })
  }),
)

/** Reads the id 10 s after the answer. */
export const showsTheIdLate = withStart(run, async ({ send, step }) => {
  const started = await send()
  await step.clock.sleep(10_000)
  return started
})

/** Treats each refusal of a check as a lost answer. */
export const ignoresRefusals = withCheck(productActions.wait, (send) =>
  send().catch((error: unknown) => {
    throw new NetworkError(messageOf(error), { mayHaveArrived: true })
  }),
)

/** Treats each failure of a download as final. */
export const triesOneDownload = damaged(productActions.wait, ({ store }) => {
  const open = store.open.bind(store)
  store.open = (...asked) =>
    open(...asked).catch((error: unknown) => {
      throw new FinalError(messageOf(error))
    })
})

/** Goes on connecting after a cancellation. */
export const connectsAfterTheCancellation = withStart(run, ({ start, asked: [request, signal] }) =>
  start(request, signal, signal),
)

/** Does not wait for the answer to a start after a cancellation. */
export const abandonsTheStart = withStart(run, ({ start, asked, step }) => {
  const [request, signal, untilConnected] = asked
  return start(request, AbortSignal.any([signal, step.cancelled]), untilConnected)
})

const died = { finished: true, error: true, container_error: true }

/** Treats every end of an execution as a failure that must be retried. */
export const retriesEveryEnd = withCheck(run, async (send) => {
  const status = await send()
  return status.finished ? { ...status, ...died } : status
})

/** Treats a running execution as failed. */
export const retriesTooEarly = withCheck(run, async (send) => ({ ...(await send()), ...died }))

/** Treats a running execution as successful. */
export const seesSuccess = withCheck(run, async (send) => ({ ...(await send()), finished: true }))

/** Uses the same identity as all other steps of the job. */
export const takesOverOthers: Action = (step, connect) => {
  const same = { 'INPUT_RERUN-KEY': '', INPUT_MATRIX: 'null', GITHUB_ACTION: 'same' }
  return productActions.run({ ...step, environment: { ...step.environment, ...same } }, connect)
}

export const forgetsReportedEnds = withStorage(run, (storage) => ({
  save: async (file, signal) => {
    if (!file.key.includes('-reported-')) await storage.save(file, signal)
  },
}))

export const forgetsStartedRuns = withStorage(run, (storage) => ({
  save: async (file, signal) => {
    if (file.key.includes('-reported-')) await storage.save(file, signal)
  },
}))

/** Does not take back that an end is reported. */
export const trustsTheFirstReport = withStorage(run, (storage) => {
  let isReported = false
  return {
    save: async (file, signal) => {
      if (!isReported) await storage.save(file, signal)
      isReported ||= file.key.includes('-reported-')
    },
  }
})

/** Saves the records of a first attempt with `on-rerun: start` too. */
export const savesAlways = withVariables({ 'INPUT_ON-RERUN': 'resume' })

/** Gives up each save after 3 s. */
export const abandonsTheLastSave: Action = (step, connect) => {
  const impatient = withStorage(run, (storage) => ({
    save: async (file, signal) => {
      using deadline = new Deadline(step.clock, 3_000, signal)
      await storage.save(file, deadline.signal).catch((error: unknown) => {
        // The step does not know that this save is still running.
        throw new Error(messageOf(error))
      })
    },
  }))
  return impatient(step, connect)
}

/** Parses and serializes the seed, which changes the digits of its numbers. */
export const rewritesTheSeed = withStart(run, ({ start, asked: [request, ...signals] }) => {
  const seed = JSON.stringify(JSON.parse(request.seed ?? '{}'))
  return start({ ...request, seed }, ...signals)
})

export const losesTheId = withValues(run, (name, value) => (name === 'execution-id' ? '' : value))

export const concludesSuccess = withValues(run, (name, value) =>
  name === 'conclusion' ? 'success' : value,
)

export const cannotFetch: Action = (step, connect) =>
  productActions.wait(step, (action, connection) => ({
    ...connect(action, connection),
    store: { open: () => Promise.reject(new NetworkError('gone', { mayHaveArrived: false })) },
  }))

export const swallowsFailures: Action = async (step, connect) => {
  await productActions.run(step, connect).catch(() => undefined)
  return passed
}

export const alwaysFails: Action = async (step, connect) => {
  await productActions.run(step, connect)
  const notice = noticeOf({ name: 'error', title: 'red' }, ['for nothing'], 'nothing')
  return { kind: 'failed', notice }
}

export const annotatesTwice: Action = async (step, connect) => {
  const verdict = await productActions.run(step, connect)
  if (verdict.kind === 'failed') step.log.failure(verdict.notice, undefined)
  return verdict
}

export const showsTheToken: Action = async (step, connect) => {
  const { GITHUB_STEP_SUMMARY: file = '', 'INPUT_API-TOKEN': token = '' } = step.environment
  await appendFile(file, token)
  return productActions.run(step, connect)
}

/** Adds a line to the result. */
export const altersTheResult = withFile(run, 'result-file', (file) => appendFile(file, '\n'))

export const checksTooOften = withVariables({ 'INPUT_POLL-INTERVAL': '100ms' })

function withVariables(environment: Record<string, string>): Action {
  return (step, connect) =>
    productActions.run({ ...step, environment: { ...step.environment, ...environment } }, connect)
}

/** Sends the commit status `success` for every run. */
export const showsSuccess = withStatuses(({ send }, status, signal) =>
  send({ ...status, state: 'success' }, signal),
)

/** Sends each commit status twice. */
export const showsTwice = withStatuses(async ({ send }, ...asked) => {
  await send(...asked)
  await send(...asked)
})

function withStatuses(
  send: (real: CommitStatuses, ...asked: Parameters<CommitStatuses['send']>) => Promise<void>,
): Action {
  return damaged(productActions.wait, (connections) => {
    const { openStatuses } = connections
    connections.openStatuses = async (...given) => {
      const real = await openStatuses(...given)
      return { ...real, send: (...asked) => send(real, ...asked) }
    }
  })
}

/** Prints the automation's log without escaping. */
export const printsTheRawLog = withFile(productActions.wait, 'log-file', async (file, step) =>
  step.console.info(await readFile(file, 'utf8')),
)

/** Does not name unknown encodings, because it removes the header. */
export const hidesEncodings: Action = (step, connect) =>
  productActions.wait(step, (action, connection) => {
    const connections = connect(action, connection)
    const { store } = connections
    const open: Store['open'] = async (...asked) => {
      const opened = await store.open(...asked)
      const others = Object.entries(opened.headers).filter(([name]) => name !== 'content-encoding')
      return { ...opened, headers: Object.fromEntries(others) }
    }
    return { ...connections, store: { open } }
  })

export const neverEnds: Action = () => new Promise(() => undefined)

export const endsLate: Action = async (step, connect) => {
  const verdict = await productActions.run(step, connect)
  await step.clock.sleep(60_000)
  return verdict
}

/** Ends at the second signal without waiting for running requests. */
export const exitsAtTheSecondSignal: Action = (step, connect) => {
  const { promise: exit, reject } = Promise.withResolvers<never>()
  let signals = 0
  const onSignal = () => {
    if (++signals === 2) reject(new CutShort(true, [...step.outputs.executionIds]))
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) step.signals.on(name, onSignal)
  return Promise.race([productActions.run(step, connect), exit])
}

export const leavesATimer: Action = (step, connect) => {
  step.clock.sleep(365 * 86_400_000).catch(() => undefined)
  return productActions.run(step, connect)
}

export const hasABug: Action = () => Promise.reject(new TypeError('undefined is not a function'))

export function withStorage(action: Action, damage: (given: Storage) => Partial<Storage>): Action {
  return damaged(action, (connections) => {
    const { openStorage } = connections
    connections.openStorage = (step) => {
      const storage = openStorage(step)
      return {
        prepare: () => storage.prepare(),
        upload: (order) => storage.upload(order),
        find: (...asked) => storage.find(...asked),
        save: (...asked) => storage.save(...asked),
        restore: (...asked) => storage.restore(...asked),
        ...damage(storage),
      }
    }
  })
}

export function damaged(action: Action, damage: (connections: Connections) => void): Action {
  return (step, connect) =>
    action(step, (name, connection) => {
      const connections = connect(name, connection)
      damage(connections)
      return connections
    })
}

type Start = AutomationService['startAutomation']
type Check = AutomationService['executionStatus']

interface Starting {
  start: Start
  asked: Parameters<Start>
  /** Starts as asked. */
  send: () => ReturnType<Start>
  step: SimulatedStep
}

/** Returns the action with another way to start. */
export function withStart(
  action: Action,
  broken: (starting: Starting) => ReturnType<Start>,
): Action {
  return (step, connect) =>
    damaged(action, ({ service }) => {
      const start = service.startAutomation.bind(service)
      service.startAutomation = (...asked) =>
        broken({ start, asked, send: () => start(...asked), step })
    })(step, connect)
}

/** Returns the action with another way to check. `send` checks as asked. */
export function withCheck(
  action: Action,
  broken: (send: () => ReturnType<Check>, executionId: string) => ReturnType<Check>,
): Action {
  return damaged(action, ({ service }) => {
    const check = service.executionStatus.bind(service)
    service.executionStatus = (...asked) => broken(() => check(...asked), asked[0])
  })
}

/** Returns the action with changed outputs. */
export function withValues(
  action: Action,
  change: (name: string, value: string) => string,
): Action {
  return (step, connect) => {
    const write = (name: string, value: string) => step.outputs.set({ [name]: change(name, value) })
    const outputs = new Outputs(step.secrets, write, () => undefined)
    return action({ ...step, outputs }, connect)
  }
}

/** Returns an action that changes the file of an output at its end. */
export function withFile(
  action: Action,
  output: string,
  change: (file: string, step: SimulatedStep) => Promise<unknown>,
): Action {
  return async (step, connect) => {
    let file = ''
    const noted = withValues(action, (name, value) => {
      if (name === output) file = value
      return value
    })
    const verdict = await noted(step, connect)
    if (file) await change(file, step)
    return verdict
  }
}
