/** How long to leave a service alone that fails. All spans are milliseconds. */

// A service in trouble is not helped by being asked; past a minute the step would seem dead.
const longestPauseAfterFailure = 60_000

// `Retry-After: 0` is a request to come back, not to hammer.
const shortestPause = 1_000

/**
 * The pause after `failures` failed checks in a row: doubling from the usual one, with jitter of
 * up to a quarter so that a matrix of jobs does not come back all at once. What the service asked
 * for (`retryAfter`) wins.
 */
export function pauseAfterFailure(
  usual: number,
  failures: number,
  retryAfter: number | undefined,
  random: () => number,
): number {
  if (retryAfter !== undefined) return Math.max(retryAfter, Math.min(usual, shortestPause))
  const grown = Math.min(usual * 2 ** (failures - 1), Math.max(usual, longestPauseAfterFailure))
  return grown * (1 + random() / 4)
}
