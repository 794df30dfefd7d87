import type { Clock } from '../../clock.ts'
import type { Secrets } from '../../messages/text/secrets.ts'
import type { ExecutionStatus } from '../../service/contract.ts'

// Milliseconds that a signed link is good for (docs/service.md, "Result and log links").
const linkLife = 60_000
// Shorter ones are no signature, and would garble the log.
const shortestQuery = 16

/**
 * Hides signed links for as long as they let anyone in. A batch sees thousands of them: kept for
 * good, they would fill the memory, and every text would be searched for all of them.
 */
export class PassingLinks {
  readonly #secrets: Secrets
  readonly #clock: Clock
  readonly #hidden: { until: number; forget: () => void }[] = []

  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets
    this.#clock = clock
  }

  hide({ result_url, logs_url }: ExecutionStatus): void {
    const now = this.#clock.now()
    while ((this.#hidden[0]?.until ?? Infinity) <= now) this.#hidden.shift()?.forget()
    for (const link of [result_url, logs_url]) {
      if (link === null) continue
      const query = URL.parse(link)?.search.slice(1) ?? ''
      // Without its query a link opens nothing.
      const [values, told] = query.length >= shortestQuery ? [[link, query], query] : [[link], link]
      const forget = this.#secrets.addForNow(values, told)
      this.#hidden.push({ until: now + linkLife, forget })
    }
  }
}
