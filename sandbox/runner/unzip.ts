import { crc32, inflateRawSync } from 'node:zlib'

// Positions and signatures of the ZIP format (APPNOTE.TXT 4.3.6 to 4.3.16).
const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const endOfDirectorySize = 22
const directoryEntrySize = 46
const localHeaderSize = 30
const deflated = 8

/**
 * The files of a zip archive by their path in it, checksums verified. Reads the archive's central
 * directory; archives of 4 GiB and more (zip64) are refused.
 *
 * @throws Error when the archive is broken.
 */
export function unzip(archive: Buffer): Record<string, Buffer> {
  const end = findEnd(archive)
  const files: Record<string, Buffer> = {}
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== directoryEntry) throw new Error('Broken zip directory')
    const nameLength = archive.readUInt16LE(at + 28)
    const nameStart = at + directoryEntrySize
    const name = archive.toString('utf8', nameStart, nameStart + nameLength)
    if (!name.endsWith('/')) files[name] = readEntry(archive, at, name)
    at = nameStart + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

// The end record is last, but for a comment of up to 65,535 bytes.
function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endOfDirectorySize - 0xffff)
  for (let at = archive.length - endOfDirectorySize; at >= first; at -= 1)
    if (archive.readUInt32LE(at) === endOfDirectory) return at
  throw new Error('Not a zip archive')
}

function readEntry(archive: Buffer, at: number, name: string): Buffer {
  const size = archive.readUInt32LE(at + 20)
  const localHeader = archive.readUInt32LE(at + 42)
  if (size === 0xffffffff || localHeader === 0xffffffff) throw new Error(`zip64 entry: ${name}`)
  const start =
    localHeader +
    localHeaderSize +
    archive.readUInt16LE(localHeader + 26) +
    archive.readUInt16LE(localHeader + 28)
  const stored = archive.subarray(start, start + size)
  const isDeflated = archive.readUInt16LE(at + 10) === deflated
  const content = isDeflated ? inflateRawSync(stored) : Buffer.from(stored)
  if (crc32(content) !== archive.readUInt32LE(at + 16)) throw new Error(`Wrong checksum: ${name}`)
  return content
}
