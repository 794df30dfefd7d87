import { Page } from '../../../../src/messages/summary/html.ts'
import { renderResult, type ResultHead } from '../../../../src/messages/summary/result.ts'

export const page = new Page((text) => text)

/** Returns the blocks of a result, which follow the line with its name. */
export function render(text: string, preview: Partial<ResultHead> = {}): string[] {
  const result = { name: 'result.json', mediaType: 'application/json', size: 9, complete: true }
  return renderResult({ ...result, text, ...preview }, page)
}
