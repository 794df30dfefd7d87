/** Faults that are drawn only where they are switched on, by name (`npm run chaos -- --also NAME`). */
export const extraFaults = ['101', 'drip', 'outage', 'disk-full', 'odd-encoding'] as const
export type ExtraFault = (typeof extraFaults)[number]
export type Extras = ReadonlySet<ExtraFault>

/** Those that need no switch. A fault belongs here once the action lives up to it. */
export const usualExtras: readonly ExtraFault[] = []

/** What goes wrong around a whole life; at most one of these, so that a violation has one cause. */
export type Disruption = 'outage' | 'disk-full' | 'none'
