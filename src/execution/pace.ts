/** How long to pause between two checks. All spans are milliseconds. */

// Each check is a paid call; nobody minds learning of an hour's run half a minute late.
const shareOfAge = 0.02
const longestPause = 30_000

/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
export function pauseBetweenChecks(age: number, pollInterval: number): number {
  return Math.max(pollInterval, Math.min(longestPause, age * shareOfAge))
}
