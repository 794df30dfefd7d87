import { inJson, inXml, nameTaken, type Reply } from './artifact-reply.ts'

/** The three calls of an upload: creating it, writing its bytes, ending it. */
export type ArtifactCall = 'create' | 'blob' | 'finalize'

/** What goes wrong: on which call, how, and how many times (default: every time). */
export type ArtifactFault = { on: ArtifactCall; times?: number } & (
  | { fault: 'status'; status: number; body?: string; headers?: Record<string, string> }
  /** The request is taken, the answer never comes. */
  | { fault: 'stall' }
  /** The connection is cut after the request. */
  | { fault: 'reset' }
  /** 200 with a page instead of JSON. */
  | { fault: 'html' }
  /** 409: an artifact with that name exists already. */
  | { fault: 'conflict' }
)

export class ArtifactFaults {
  readonly #faults: { fault: ArtifactFault; left: number }[] = []

  inject(fault: ArtifactFault): void {
    this.#faults.push({ fault, left: fault.times ?? Infinity })
  }

  /** The next fault for this call, used up once more. */
  take(call: ArtifactCall): ArtifactFault | undefined {
    const found = this.#faults.find(({ fault, left }) => fault.on === call && left > 0)
    if (found) found.left -= 1
    return found?.fault
  }
}

/** What the fault answers; undefined where it answers nothing. */
export function replyOf(fault: ArtifactFault): Reply | undefined {
  switch (fault.fault) {
    case 'status': {
      const usual =
        fault.on === 'blob'
          ? inXml(fault.status, 'InjectedFault')
          : inJson(fault.status, { code: 'internal', msg: 'injected fault' })
      const headers = { ...usual.headers, ...fault.headers }
      return { ...usual, headers, body: fault.body ?? usual.body }
    }
    case 'conflict':
      return nameTaken
    case 'html':
      return {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Maintenance</body></html>',
      }
    case 'reset':
    case 'stall':
      return undefined
  }
}
