/** The side of the worker: answers the requests that come, several at once. */
import type { OnLine } from './client-line.ts'
import type { Services, WorkerMessage, WorkerRequest } from './worker-protocol.ts'

/** Who is told what happens while a request is under way. */
export interface RequestListener {
  onLine: OnLine
  onProgress: () => void
}

/** One function a service. A rejection is told as the failure of that request. */
export type Handlers<All extends Services<All>> = {
  [Name in keyof All]: (
    order: All[Name]['order'],
    listener: RequestListener,
  ) => Promise<All[Name]['report']>
}

/** The thread's end of the line, `parentPort`. */
export interface RequestPort {
  postMessage(message: WorkerMessage): void
  on(event: 'message', listener: (request: WorkerRequest) => void): unknown
}

export function answerRequests<All extends Services<All>>(
  port: RequestPort,
  handlers: Handlers<All>,
): void {
  const send = (message: WorkerMessage) => port.postMessage(message)
  port.on('message', ({ id, service, order }) => {
    const listener: RequestListener = {
      onLine: (line) => send({ id, kind: 'line', line }),
      onProgress: () => send({ id, kind: 'progress' }),
    }
    answer(handlers, service, order, listener).then(
      (report) => send({ id, kind: 'report', report }),
      (error: unknown) => send({ id, kind: 'failure', ...describe(error) }),
    )
  })
}

async function answer<All extends Services<All>>(
  handlers: Handlers<All>,
  service: string,
  order: unknown,
  listener: RequestListener,
): Promise<unknown> {
  if (!isIn(handlers, service)) throw new Error(`this thread does not know ${service}`)
  return handlers[service](order, listener)
}

function isIn<All>(all: All & object, name: PropertyKey): name is keyof All {
  return Object.hasOwn(all, name)
}

function describe(error: unknown): { name: string; message: string } {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { name, message }
}
