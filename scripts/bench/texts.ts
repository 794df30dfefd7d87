/** How the work on texts from outside grows with their length: it has to be linear. */
import { hostileTexts } from './hostile-texts.ts'
import { textReaders } from './text-readers.ts'

export interface Growth {
  reader: string
  /** The text that took longest. */
  text: string
  /** Milliseconds for each of {@link textSizes}. */
  spans: number[]
}

/** Characters. */
export const textSizes = [64, 256, 1024].map((kibi) => kibi * 1024)

/** For each function, the hostile text of the greatest size that it took longest for. */
export function measureTexts(): Growth[] {
  return Object.entries(textReaders()).map(([reader, read]) => {
    const texts = Object.entries(hostileTexts).map(([text, make]) => ({ text, make }))
    const slowest = texts
      .map(({ text, make }) => ({ text, make, span: timeOf(read, make(maxText)) }))
      .reduce((worst, one) => (one.span > worst.span ? one : worst))
    const spans = textSizes.map((size) => fastest(read, slowest.make(size)))
    return { reader, text: slowest.text, spans }
  })
}

const maxText = Math.max(...textSizes)

/** Of five: what else the machine does only adds to it. */
function fastest(read: (text: string) => unknown, text: string): number {
  return Math.min(...Array.from({ length: 5 }, () => timeOf(read, text)))
}

function timeOf(read: (text: string) => unknown, text: string): number {
  const startedAt = performance.now()
  read(text)
  return performance.now() - startedAt
}
