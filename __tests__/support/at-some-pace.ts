/** Milliseconds. The last is long enough for a busy machine. */
const spans = [100, 400, 1_600, 6_400]

/**
 * For stall timeouts, which only a real socket's timer can show. The scenario gets a span in
 * milliseconds as the unit of its times; where it fails, it is run again with a longer one, since
 * the machine may have been too slow. A real fault fails with every span, with the last error.
 */
export async function atSomePace(scenario: (span: number) => Promise<void>): Promise<void> {
  const [slowest = 0, ...quicker] = [...spans].reverse()
  for (const span of quicker.reverse()) {
    try {
      await scenario(span)
      return
    } catch {
      // The next span decides.
    }
  }
  await scenario(slowest)
}
