/** The first is quick; the last is long enough for a machine that is busy with other things. */
const spans = [100, 400, 1_600, 6_400]

/**
 * For limits that only a real socket's timer can show. The scenario gets a span in milliseconds and
 * measures everything by it; where the machine could not keep up, it is run again, slower. What
 * is broken fails at every pace, with the error of the slowest.
 */
export async function atSomePace(scenario: (span: number) => Promise<void>): Promise<void> {
  const [slowest = 0, ...quicker] = [...spans].reverse()
  for (const span of quicker.reverse()) {
    try {
      await scenario(span)
      return
    } catch {
      // The next pace decides.
    }
  }
  await scenario(slowest)
}
