/** Returns each combination of one value from each list. */
export function combine<const T extends Record<string, readonly unknown[]>>(lists: T) {
  let all: object[] = [{}]
  for (const [name, list] of Object.entries(lists)) {
    all = all.flatMap((one) => list.map((value) => ({ ...one, [name]: value })))
  }
  return all as { [K in keyof T]: T[K][number] }[]
}
