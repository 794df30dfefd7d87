import type { Performed } from './step.ts'

/** What must never happen, whatever was answered. */
export function commonViolations({ hung, passed, errors }: Performed): string[] {
  return [
    ...(hung ? ['hung'] : []),
    ...(!hung && errors.length !== (passed ? 0 : 1) ? [`${String(errors.length)} errors`] : []),
    ...errors.filter((text) => text.includes('A bug in this action')),
  ]
}

/** The object in a body, where it is one. */
export function objectIn(body: Buffer | undefined): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body?.toString().replace(/^\ufeff/, '') ?? '') as unknown
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
