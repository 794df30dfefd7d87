/** Uploads one artifact in a thread of its own, within a bound of its own. */
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { setTimeout as delay } from 'node:timers/promises'
import type { UploadOrder, UploadReport } from './protocol.ts'

export interface UploaderContext {
  /** The bundle of `upload-worker.ts`. */
  workerFile: string
  /** Where the client's own lines go. */
  debug: (line: string) => void
  /** What the client asks the runner to mask: its signed upload address. */
  mask: (value: string) => void
  cancelled: AbortSignal
}

/**
 * Loads the artifact client at once, so that it is ready when the run ends. `upload` may be called
 * once; whatever happens, `stop` leaves no thread and no connection behind.
 */
export class Uploader {
  readonly #worker: Worker
  readonly #context: UploaderContext
  readonly #report: Promise<UploadReport>

  constructor(context: UploaderContext) {
    this.#context = context
    // One block of 8 MB at a time: the client's five would cost more memory than all the rest.
    const env = { ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY: '1', ...process.env }
    this.#worker = new Worker(context.workerFile, {
      ...{ env, stdout: true, stderr: true },
      // For the same reason: a small nursery is swept often, and with it the buffers it points to.
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    })
    this.#worker.unref()
    this.#report = new Promise((resolve) => {
      const fail = (name: string, message: string) => resolve({ kind: 'failed', name, message })
      this.#worker.once('message', resolve)
      this.#worker.once('error', (error: Error) => fail(error.name, error.message))
      this.#worker.once('exit', () => fail('Error', 'the upload ended without an answer'))
    })
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#relay(line))
    }
  }

  /** Never rejects. `bound`: milliseconds after which a stalled upload is given up. */
  async upload(order: UploadOrder, bound: number): Promise<UploadReport> {
    const { cancelled } = this.#context
    const released = new AbortController()
    const signal = AbortSignal.any([released.signal, cancelled])
    this.#worker.ref()
    this.#worker.postMessage(order)
    const givenUp = delay(bound, undefined, { signal }).then(
      () => stalled(bound),
      () => cutShort,
    )
    try {
      return await Promise.race([this.#report, givenUp])
    } finally {
      released.abort()
      await this.stop()
    }
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }

  #relay(line: string): void {
    const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? []
    if (command === 'add-mask') this.#context.mask(unescape(text))
    else this.#context.debug(`artifact client: ${command ? unescape(text) : line}`)
  }
}

/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function unescape(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%')
}

const cutShort: UploadReport = { kind: 'failed', name: 'Cancelled', message: 'cancelled' }

function stalled(bound: number): UploadReport {
  const seconds = String(Math.round(bound / 1000))
  return { kind: 'failed', name: 'TimeUp', message: `not done after ${seconds} s` }
}
