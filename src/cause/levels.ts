/** The levels of loggers. A higher number is a worse level. */
export const warning = 3
export const error = 4
export const critical = 5

const numbers: Readonly<Record<string, number>> = {
  ...{ trace: 1, debug: 1, info: 2, notice: 2, success: 2, warn: warning, warning },
  ...{ err: error, error, severe: error, crit: critical, critical, fatal: critical },
}

export const levelNames = Object.keys(numbers)

/** Returns the level with this name, in any case. Numbers are those of pino: 10 is trace, 60 fatal. */
export function levelOf(name: unknown): number | undefined {
  if (typeof name === 'number') return [1, 1, 2, warning, error, critical][name / 10 - 1]
  return typeof name === 'string' ? numbers[name.toLowerCase()] : undefined
}
