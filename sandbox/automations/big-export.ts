/**
 * Writes a large result and a large log. Seed: `{ "resultMegabytes": 3, "logMegabytes": 6,
 * "format": "csv" | "random" }`. `random` bytes cannot be compressed.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import process from 'node:process'
import type { Automation } from '../service/automation.ts'

const megabyte = 1_000_000
const lineSize = 50
const linesInPiece = 1_000
const pieceSize = lineSize * linesInPiece
// In each line, the number of the piece replaces this mark.
const pieceMark = '#########'

interface Seed {
  resultMegabytes?: number
  logMegabytes?: number
  format?: 'csv' | 'random'
}

const bigExport: Automation<Seed> = async ({
  resultMegabytes = 3,
  logMegabytes = 6,
  format = 'csv',
}) => {
  for (const piece of lines(logMegabytes * megabyte, 'exported row')) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain')
  }
  const size = resultMegabytes * megabyte
  return format === 'csv'
    ? { contentType: 'text/csv; charset=utf-8', body: lines(size, 'row') }
    : { contentType: 'application/octet-stream', body: bytes(size) }
}

/** Yields `size` bytes of numbered lines. Each line has 50 bytes. */
function* lines(size: number, label: string): Iterable<string> {
  // Only the numbers of a piece are replaced. To make each line anew takes 15 s per gigabyte.
  const numbers = Array.from({ length: linesInPiece }, (_, index) => String(index).padStart(3, '0'))
  const piece = numbers
    .map((number) => `${label},${pieceMark}${number},`.padEnd(lineSize - 1, 'x') + '\n')
    .join('')
  for (let count = 0; count * piece.length < size; count++) {
    const numbered = piece.replaceAll(pieceMark, String(count).padStart(pieceMark.length, '0'))
    yield numbered.slice(0, size - count * piece.length)
  }
}

function* bytes(size: number): Iterable<Uint8Array> {
  for (let left = size; left > 0; left -= pieceSize) yield randomBytes(Math.min(left, pieceSize))
}

export default bigExport
