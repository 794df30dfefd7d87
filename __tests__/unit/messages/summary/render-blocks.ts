import { Page } from '../../../../src/messages/summary/html.ts'
import { formOf, readRows } from '../../../../src/messages/summary/read-rows.ts'
import { renderResult, type ResultHead } from '../../../../src/messages/summary/result.ts'

export const page = new Page((text) => text)

/** Returns the blocks of a result, which follow the line with its name. */
export async function render(
  text: string,
  preview: Partial<ResultHead> = {},
  shownOn = page,
): Promise<string[]> {
  const json = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }
  const result = { ...json, text, ...preview }
  const form = formOf(result.mediaType, result.name)
  const rows = form && (await readRows(text, form, result.complete))
  return renderResult({ ...result, rows }, shownOn)
}
