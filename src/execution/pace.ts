/** How long to pause between two checks. All spans are milliseconds. */

// Each check is a paid call; nobody minds learning of an hour's run half a minute late.
const shareOfAge = 0.02
const longestPause = 30_000

/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(longestPause, age * shareOfAge))
}

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
