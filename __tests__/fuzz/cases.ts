/** Runs random cases, many at once; each can be had again by its seed and number. */
import fc from 'fast-check'

const environment = process.env

/** `FUZZ_SEED`: where the random cases begin. */
const seed = Number(environment['FUZZ_SEED'] ?? 1)
/** `FUZZ_CASE`: the number of the only case to run. */
const only = environment['FUZZ_CASE']
// They mostly wait; more would make a machine so busy that its silences look like a server's.
const atOnce = 12

/** What every case that violates something did, with the case. `check` tells violations. */
export async function violations<Case>(
  cases: fc.Arbitrary<Case>,
  check: (given: Case) => Promise<string[]>,
  count: number,
): Promise<string[]> {
  const all = fc.sample(cases, { numRuns: count, seed }).entries()
  const found: string[] = []
  const work = async () => {
    for (const [number, given] of all) {
      if (only !== undefined && Number(only) !== number) continue
      for (const violation of await check(given)) {
        const shown = JSON.stringify(given, (_, value: unknown) => shortened(value))
        found.push(`seed ${String(seed)}, case ${String(number)}: ${violation}: ${shown}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}

function shortened(value: unknown): unknown {
  return typeof value === 'string' && value.length > 200 ? `${value.slice(0, 200)}…` : value
}
