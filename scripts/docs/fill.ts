/**
 * Fills text made from elsewhere in between `<!-- docs:NAME -->` and `<!-- /docs:NAME -->`.
 * @throws Error unless each block's markers stand there once, in order.
 */
export function fillBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  return [...blocks].reduce((filled, [name, content]) => {
    const [opening, closing] = [`<!-- docs:${name} -->`, `<!-- /docs:${name} -->`]
    const [before = '', , ...others] = filled.split(opening)
    const [old, after, ...more] = filled.slice(before.length).split(closing)
    if (!old?.startsWith(opening) || after === undefined || others.length + more.length > 0) {
      throw new Error(`${opening} and ${closing} have to stand there once, in this order`)
    }
    return `${before}${opening}\n\n${content}\n\n${closing}${after}`
  }, text)
}
