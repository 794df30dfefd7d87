/** Returns the arguments `OPTION NAME=VALUE` for each value. */
export function each(option: string, values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`])
}
