/** A number of things as people say it: `1 check`, `2 checks`. */
export function describeCount(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
