import { z } from 'zod'
import { encodings } from './stored-file.ts'

const targets = ['start', 'status', 'create-project', 'link-result', 'link-log', 'link'] as const
export type FaultTarget = (typeof targets)[number]

const names = [
  // The connection: nothing comes back.
  'reset-before-answer',
  'stall-headers',
  // Transport: the right answer, badly sent.
  'half-answer',
  'half-chunked',
  'stall-body',
  'drip',
  'cut-after',
  'wrong-length',
  // The content: another answer.
  'status',
  'html',
  'array',
  'empty',
  'redirect',
  'echo-credentials',
  'wrong-types',
  'missing-flags',
  'huge',
  // Links only.
  'expired',
  'encoding',
] as const
export type FaultName = (typeof names)[number]

const size = z.number().int().min(0)

export const faultSchema = z.strictObject({
  /** `link` is either link. */
  on: z.enum(targets),
  fault: z.enum(names),
  /** How many requests it hits. */
  times: z.union([z.number().int().min(1), z.literal('always')]).default(1),
  /** How many requests pass unharmed before. */
  skip: size.default(0),
  /** The request has its effect (a start really starts) although the answer does not say so. */
  accepted: z.boolean().default(false),
  /** For `status` and `redirect`. */
  status: z.number().int().min(200).max(599).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().optional(),
  /** Where `redirect` leads; the same path again, relative, when left out. */
  location: z.string().optional(),
  /** `cut-after`, `stall-body`: bytes that arrive. `wrong-length`: bytes too many. `huge`: size. */
  bytes: z.number().int().optional(),
  /** `huge` without an end. */
  endless: z.boolean().default(false),
  /** `drip`: milliseconds between bytes. */
  every: size.default(20),
  /** How a link's file is served; together with any other fault. */
  encoding: z.enum(encodings).optional(),
  noRanges: z.boolean().default(false),
})
export type FaultInput = z.input<typeof faultSchema>
export type Fault = z.output<typeof faultSchema>

/** The faults still to come. The first one injected for a target hits first. */
export class Faults {
  #pending: { fault: Fault; skip: number; left: number }[] = []

  /** Throws a ZodError on a fault that does not exist. */
  inject(input: FaultInput): void {
    const fault = faultSchema.parse(input)
    const left = fault.times === 'always' ? Infinity : fault.times
    this.#pending.push({ fault, skip: fault.skip, left })
  }

  clear(): void {
    this.#pending = []
  }

  /** The fault that hits a request of these targets, used up by it. */
  take(wanted: readonly FaultTarget[]): Fault | undefined {
    const next = this.#pending.find(({ fault }) => wanted.includes(fault.on))
    if (!next) return undefined
    if (next.skip > 0) {
      next.skip -= 1
      return undefined
    }
    next.left -= 1
    if (next.left === 0) this.#pending = this.#pending.filter((pending) => pending !== next)
    return next.fault
  }
}
