/**
 * Finds many phrases in one pass over a text (Aho and Corasick's automaton): the work grows with
 * the text alone, however many phrases there are and however alike their beginnings.
 */
export type Span = [from: number, to: number]

const root = 0
// A phrase that has begun like this is taken for the whole: bounds the automaton's size.
const longestPrefix = 4096
// Of a phrase that the text's end cuts off: fewer characters may be anything.
const fewestToRecognise = 4

interface Node {
  parent: number
  code: number
  depth: number
  /** The node of the longest other phrase beginning that a text ends with here. */
  fallback: number
  /** Length of the longest phrase that ends here; 0 for none. */
  length: number
  /** How much longer that phrase is than its prefix. */
  beyond: number
}

export class PhraseFinder {
  readonly #nodes: Node[] = [newNode(root, 0, 0)]
  readonly #children = new Map<number, number>()

  constructor(phrases: Iterable<Uint16Array>) {
    for (const phrase of phrases) this.#add(phrase)
    this.#link()
  }

  /**
   * Where phrases are, first to last; those that overlap or touch are one span. `isCut`: the text
   * was cut at its end, so that the beginning of a phrase there counts as well.
   */
  find(text: Uint16Array, isCut: boolean): Span[] {
    const spans: Span[] = []
    let node = root
    for (let at = 0; at < text.length; at++) {
      node = this.#step(node, text[at] ?? 0)
      const { length, beyond } = this.#node(node)
      if (length > 0) addSpan(spans, [at + 1 - length, Math.min(text.length, at + 1 + beyond)])
    }
    const { depth } = this.#node(node)
    if (isCut && depth >= fewestToRecognise) addSpan(spans, [text.length - depth, text.length])
    return spans
  }

  #add(phrase: Uint16Array): void {
    let at = root
    for (const code of phrase.subarray(0, longestPrefix)) at = this.#childOrNew(at, code)
    const node = this.#node(at)
    node.length = node.depth
    node.beyond = Math.max(node.beyond, phrase.length - node.depth)
  }

  #childOrNew(parent: number, code: number): number {
    const known = this.#child(parent, code)
    if (known !== undefined) return known
    const made = this.#nodes.length
    this.#nodes.push(newNode(parent, code, this.#node(parent).depth + 1))
    this.#children.set(key(parent, code), made)
    return made
  }

  /** From the shallow nodes to the deep ones: a fallback is always less deep. */
  #link(): void {
    const byDepth = [...this.#nodes.keys()]
    byDepth.sort((one, other) => this.#node(one).depth - this.#node(other).depth)
    for (const at of byDepth) {
      const node = this.#node(at)
      if (node.depth > 1) node.fallback = this.#step(this.#node(node.parent).fallback, node.code)
      const shorter = this.#node(node.fallback)
      node.length ||= shorter.length
      node.beyond = Math.max(node.beyond, shorter.beyond)
    }
  }

  #step(from: number, code: number): number {
    for (let at = from; ; at = this.#node(at).fallback) {
      const child = this.#child(at, code)
      if (child !== undefined) return child
      if (at === root) return root
    }
  }

  #child(parent: number, code: number): number | undefined {
    return this.#children.get(key(parent, code))
  }

  #node(at: number): Node {
    const node = this.#nodes[at]
    if (!node) throw new RangeError(`no node ${String(at)}`)
    return node
  }
}

function newNode(parent: number, code: number, depth: number): Node {
  return { parent, code, depth, fallback: root, length: 0, beyond: 0 }
}

function key(parent: number, code: number): number {
  return parent * 0x10000 + code
}

function addSpan(spans: Span[], [from, to]: Span): void {
  let start = from
  let end = to
  // Spans come in the order of their ends; a long one may reach back over several.
  for (let last = spans.at(-1); last && last[1] >= start; last = spans.at(-1)) {
    start = Math.min(start, last[0])
    end = Math.max(end, last[1])
    spans.pop()
  }
  spans.push([start, end])
}

/** The spans of two lists in one, in their order; those that overlap or touch are one. */
export function uniteSpans(some: readonly Span[], others: readonly Span[]): Span[] {
  const united: Span[] = []
  const all = [...some, ...others].sort((one, other) => one[0] - other[0])
  for (const span of all) addSpan(united, span)
  return united
}
