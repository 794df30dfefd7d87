/** The beginnings of the first results of a batch, for its summary. */
import path from 'node:path'
import { readHead, textOf } from '../../download/file-text.ts'
import { nameRun, type ShownRun } from '../batch/shown-run.ts'
import { cut } from '../../cut.ts'
import { describeSize } from '../quantities.ts'
import { folded, preformatted, takeWithin, type Page } from './html.ts'

/** The beginning of what one run returned. */
export interface ResultHead {
  run: Pick<ShownRun, 'number' | 'label'>
  /** Bytes of the whole result. */
  size: number
  /** Absent where it is no text. */
  text: string | undefined
  complete: boolean
}

// Longer than what is shown of one, so that a secret across the cut is still whole.
const bytesRead = 8 * 1024
const mostLines = 10
const mostCharacters = 1_000
const longestHead = 6 * 1024
const longestName = 200

/** Reads the heads of these runs' results; `folder` is the batch's. One that is gone is left out. */
export async function readResultHeads(
  runs: readonly ShownRun[],
  folder: string,
): Promise<ResultHead[]> {
  const heads = runs.map(async (run): Promise<ResultHead | undefined> => {
    if (run.resultFile === undefined) return undefined
    const head = await readHead(path.join(folder, run.resultFile), bytesRead).catch(() => undefined)
    const { number, label } = run
    return head && { ...head, run: { number, label }, text: textOf(head) }
  })
  return (await Promise.all(heads)).filter((head) => head !== undefined)
}

/** One folded block; `total`: how many runs succeeded. */
export function renderResultHeads(
  heads: readonly ResultHead[],
  total: number,
  page: Page,
): string[] {
  if (heads.length === 0) return []
  const title =
    heads.length < total ? `The first ${heads.length} of ${total} results` : 'The results'
  return [folded(title, heads.map((head) => renderHead(head, page)).join('\n'))]
}

function renderHead({ run, size, text, complete }: ResultHead, page: Page): string {
  const name = `<p><strong>${page.prose(nameRun(run), longestName)}</strong> (${describeSize(size)})</p>`
  if (text === undefined || text.trim() === '') return name
  const all = page.preformatted(shorten(page.show(text.trimEnd())))
  const lines = takeWithin(all.slice(0, mostLines), longestHead)
  const isCut = lines.length < all.length || (!complete && !lines.at(-1)?.endsWith('…'))
  return `${name}\n${preformatted(isCut ? [...lines, '…'] : lines)}`
}

/** Takes a text that is free of secrets. */
function shorten(text: string): string {
  return cut(text, mostCharacters)
}
