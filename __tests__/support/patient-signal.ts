/** A signal that never aborts. */
export const patient = new AbortController().signal
