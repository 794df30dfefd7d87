/** A number of bytes as people say it: `812 bytes`, `1.4 KiB`, `3 MiB`. */
export function describeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const units = ['KiB', 'MiB', 'GiB', 'TiB']
  const exponent = Math.min(units.length, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** exponent
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} ${units[exponent - 1]}`
}
