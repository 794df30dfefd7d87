import type { z } from 'zod'

/**
 * Runs a rule about several inputs whenever these are sound on their own, whatever problems the
 * others have: all problems are told at once.
 */
export function whenSound(...names: readonly string[]) {
  return ({ issues }: z.core.ParsePayload) =>
    !issues.some(({ path }) => names.includes(String(path?.[0])))
}
