/** Text between markers `<!-- docs:NAME -->` and `<!-- /docs:NAME -->`, made from elsewhere. */

/** Replaces what is between each pair of markers. */
export function fillBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  let filled = text
  for (const [name, content] of blocks) {
    const { start, end } = findBlock(filled, name)
    filled = `${filled.slice(0, start)}\n\n${content.trim()}\n\n${filled.slice(end)}`
  }
  return filled
}

/** The names of the blocks in which a text differs from what belongs there. */
export function findDrift(text: string, blocks: ReadonlyMap<string, string>): string[] {
  return [...blocks].flatMap(([name, content]) => {
    const { start, end } = findBlock(text, name)
    return text.slice(start, end).trim() === content.trim() ? [] : [name]
  })
}

function findBlock(text: string, name: string): { start: number; end: number } {
  const opening = `<!-- docs:${name} -->`
  const closing = `<!-- /docs:${name} -->`
  const start = indexOfOnly(text, opening) + opening.length
  const end = indexOfOnly(text, closing)
  if (end < start) throw new Error(`${closing} stands before ${opening}`)
  return { start, end }
}

function indexOfOnly(text: string, marker: string): number {
  const index = text.indexOf(marker)
  if (index === -1) throw new Error(`${marker} is missing`)
  if (text.includes(marker, index + 1)) throw new Error(`${marker} stands there twice`)
  return index
}
