/** Reads a summary as GitHub does, first as Markdown and then as HTML, and finds problems. */
const ours = new Set('h3 p strong br table tr th td a pre details summary code span'.split(' '))
const tag = /<(\/?)([a-z]+\d?)((?: [a-z]+="[^"<>]*")*)>/g

// A chart is Markdown between the HTML tags of a folded section.
const foldedChart = /<details><summary>[^<]*<\/summary>\n\n(```mermaid\n[^`]+\n```)\n\n<\/details>/

export function problemsOf(summary: string): string[] {
  if (!summary.endsWith('\n\n')) return ['it does not end with a blank line']
  return summary.replace(foldedChart, '$1').slice(0, -2).split('\n\n').flatMap(problemsOfBlock)
}

function problemsOfBlock(block: string): string[] {
  if (block.split('\n').some((line) => line.trim() === '')) return [`a blank line in ${block}`]
  if (/^```mermaid\n[^`]+\n```$/.test(block)) return []
  const rest = block.replace(tag, '')
  return [
    ...(/^<(?:h3|p|table|pre|details)>/.test(block) ? [] : [`no HTML block: ${block}`]),
    ...(/[<>"']/.test(rest.replace(/default's|log's|service's/g, ''))
      ? [`loose markup in ${rest}`]
      : []),
    ...(/&(?!(?:amp|lt|gt|quot|#39|#32);)/.test(rest) ? [`a loose & in ${rest}`] : []),
    ...(/[^\P{Cc}\n\t]/u.test(block) ? [`a control character in ${block}`] : []),
    ...problemsOfTags(block),
  ]
}

function problemsOfTags(block: string): string[] {
  const open: string[] = []
  const problems: string[] = []
  for (const [, closing, name = ''] of block.matchAll(tag)) {
    if (!ours.has(name)) problems.push(`a foreign tag: ${name}`)
    if (name === 'br') continue
    if (!closing) open.push(name)
    else if (open.pop() !== name) problems.push(`${name} closed where it is not open in ${block}`)
  }
  return open.length > 0 ? [...problems, `left open: ${open.join(', ')} in ${block}`] : problems
}
