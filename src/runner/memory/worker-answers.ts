/** The side of the worker: answers the requests that come, several at once. */
import type { EventEmitter } from 'node:events'
import type { MessagePort } from 'node:worker_threads'
import type { OnLine } from './client-lines.ts'
import type { Services, WorkerMessage, WorkerRequest } from './worker-protocol.ts'

/** One function a service. A rejection is told as the failure of that request. */
export type Handlers<All extends Services<All>> = {
  [Name in keyof All]: (order: All[Name]['order'], onLine: OnLine) => Promise<All[Name]['report']>
}

export function answerRequests<All extends Services<All>>(
  port: Pick<MessagePort, 'postMessage'> & Pick<EventEmitter, 'on'>,
  handlers: Handlers<All>,
): void {
  const send = (message: WorkerMessage) => port.postMessage(message)
  port.on('message', ({ id, service, order }: WorkerRequest) => {
    const onLine = (line: string) => send({ id, kind: 'line', line })
    answer(handlers, service, order, onLine).then(
      (report) => send({ id, kind: 'report', report }),
      (error: unknown) => send({ id, kind: 'failure', ...describe(error) }),
    )
  })
}

async function answer<All extends Services<All>>(
  handlers: Handlers<All>,
  service: string,
  order: unknown,
  onLine: OnLine,
): Promise<unknown> {
  if (!isIn(handlers, service)) throw new Error(`this thread does not know ${service}`)
  return handlers[service](order, onLine)
}

function isIn<All>(all: All & object, name: PropertyKey): name is keyof All {
  return Object.hasOwn(all, name)
}

function describe(error: unknown): { name: string; message: string } {
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  return { name, message }
}
