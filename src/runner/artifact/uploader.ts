/** Uploads one artifact in a thread of its own, given up when it stalls. */
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../../clock.ts'
import { messageOf } from '../../errors.ts'
import { stallLimits, StallWatch } from '../stall-watch.ts'
import type { UploadMessage, UploadOrder, UploadReport } from './protocol.ts'

export interface UploaderContext {
  /** The bundle of `upload-worker.ts`. */
  workerFile: string
  /** Where the client's own lines go. */
  debug: (line: string) => void
  /** What the client asks the runner to mask: its signed upload address. */
  mask: (value: string) => void
  cancelled: AbortSignal
  clock: Clock
}

/**
 * Loads the artifact client at once, so that it is ready when the run ends. `upload` may be called
 * once; whatever happens, `stop` leaves no thread and no connection behind.
 */
export class Uploader {
  readonly #worker: Worker
  readonly #context: UploaderContext
  readonly #report: Promise<UploadReport>
  #watch: StallWatch | undefined

  constructor(context: UploaderContext) {
    this.#context = context
    // One block of 8 MB at a time: the client's five would cost more memory than all the rest.
    // A block may take as long as all: what stalls is ended here.
    const env = {
      ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY: '1',
      ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: String(stallLimits.longest),
      ...process.env,
    }
    this.#worker = new Worker(context.workerFile, {
      ...{ env, stdout: true, stderr: true },
      // For the same reason: a small nursery is swept often, and with it the buffers it points to.
      resourceLimits: { maxYoungGenerationSizeMb: 1 },
    })
    this.#worker.unref()
    this.#report = new Promise((resolve) => {
      const fail = (name: string, message: string) => resolve({ kind: 'failed', name, message })
      this.#worker.on('message', (message: UploadMessage) => {
        if (message.kind === 'progress') this.#watch?.renew()
        else resolve(message)
      })
      this.#worker.once('error', (error: Error) => fail(error.name, error.message))
      this.#worker.once('exit', () => fail('Error', 'the upload ended without an answer'))
    })
    for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
      createInterface({ input: stream }).on('line', (line) => this.#relay(line))
    }
  }

  /** Never rejects. An upload without progress is given up, and any after an hour. */
  async upload(order: UploadOrder): Promise<UploadReport> {
    const { cancelled, clock } = this.#context
    using watch = new StallWatch(clock, cancelled)
    this.#watch = watch
    this.#worker.ref()
    this.#worker.postMessage(order)
    try {
      return await watch.bound(this.#report)
    } catch (error) {
      if (cancelled.aborted) return cutShort
      return { kind: 'failed', name: 'TimeUp', message: messageOf(error) }
    } finally {
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
