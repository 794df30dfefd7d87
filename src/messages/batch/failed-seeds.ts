/** The seeds that are worth another try, as JSON Lines: the `seeds-file` of the next batch. */
import type { RunRecord } from '../../execution/batch/record.ts'
import { conclusions } from '../../execution/conclusion.ts'
import type { BatchSeed } from '../../execution/batch/seed-list.ts'
import { oneLineJson } from './one-line-json.ts'

/**
 * One line a seed whose run failed or was not started, in order. Runs whose outcome is unknown, or
 * that are not over, may still do their work: started again, they would do it twice.
 */
export function* failedSeedLines(
  records: readonly RunRecord[],
  seeds: readonly Pick<BatchSeed, 'index' | 'text'>[],
): Generator<string> {
  const texts = new Map(seeds.map(({ index, text }) => [index, text]))
  for (const { index, conclusion } of records) {
    const text = texts.get(index)
    const { category } = conclusions[conclusion]
    if (text === undefined || (category !== 'failed' && category !== 'notStarted')) continue
    yield `${oneLineJson(text)}\n`
  }
}
