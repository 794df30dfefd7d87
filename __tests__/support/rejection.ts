/** Returns the reason why a promise rejects. @throws Error if the promise resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    () => ({ rejected: false, reason: undefined }),
    (reason: unknown) => ({ rejected: true, reason }),
  )
  if (!outcome.rejected) throw new Error('the promise resolved, but a rejection was expected')
  return outcome.reason
}
