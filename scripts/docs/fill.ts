/**
 * Replaces the text between `<!-- docs:NAME -->` and `<!-- /docs:NAME -->` for each block.
 * @throws Error unless the text has both markers of each block once, in this order.
 */
export function fillBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  return [...blocks].reduce((filled, [name, content]) => {
    const [opening, closing] = [`<!-- docs:${name} -->`, `<!-- /docs:${name} -->`]
    const [before = '', , ...others] = filled.split(opening)
    const [old, after, ...more] = filled.slice(before.length).split(closing)
    if (!old?.startsWith(opening) || after === undefined || others.length + more.length > 0) {
      throw new Error(`the page must have ${opening} and ${closing} once, in this order`)
    }
    return `${before}${opening}\n\n${content}\n\n${closing}${after}`
  }, text)
}
