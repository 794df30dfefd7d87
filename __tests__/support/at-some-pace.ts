/** Milliseconds. The last span is long enough for a busy machine. */
const spans = [100, 400, 1_600, 6_400]

/**
 * Runs a scenario about stall timeouts, which need a real socket's timer. `span` is the unit of all
 * times in the scenario, in milliseconds. A failed scenario is repeated with a longer span, because
 * the machine may have been too slow. A real fault fails with every span.
 */
export async function atSomePace(scenario: (span: number) => Promise<void>): Promise<void> {
  const [slowest = 0, ...quicker] = [...spans].reverse()
  for (const span of quicker.reverse()) {
    try {
      await scenario(span)
      return
    } catch {
      // The scenario is repeated with the next span.
    }
  }
  await scenario(slowest)
}
