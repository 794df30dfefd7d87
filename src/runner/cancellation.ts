/** The reason of the signal that aborts when the runner ends the step. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** What the runner sends: SIGINT, SIGTERM 7.5 s later, and kills 2.5 s after that. */
const endings = ['SIGINT', 'SIGTERM'] as const

/** The part of `process` that tells of signals. */
export type SignalSource = Pick<NodeJS.Process, 'on' | 'off' | 'exit'>

/** Aborts at the first signal, so that the step can report its state; a second ends at once. */
export function listenForCancellation(source: SignalSource): AbortSignal {
  const cancellation = new AbortController()
  for (const ending of endings) {
    source.on(ending, () => {
      if (cancellation.signal.aborted) source.exit(1)
      cancellation.abort(new Cancelled(`the runner sent ${ending}`))
    })
  }
  return cancellation.signal
}
