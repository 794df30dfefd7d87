/** The seeds that are worth another try, as JSON Lines: the `seeds-file` of the next batch. */
import type { RunRecord } from '../../execution/batch/record.ts'
import { conclusions } from '../../execution/conclusion.ts'
import { oneLineJson } from './one-line-json.ts'

/** The seeds of a batch, in order, and their JSON texts. */
export interface SeedTexts<Seed extends { index: number }> {
  seeds: readonly Seed[]
  textOf(seed: Seed): Promise<string>
}

/**
 * One line a seed whose run failed or was not started, in order. Runs whose outcome is unknown, or
 * that are not over, may still do their work: started again, they would do it twice.
 */
export async function* failedSeedLines<Seed extends { index: number }>(
  records: readonly RunRecord[],
  list: SeedTexts<Seed>,
): AsyncGenerator<string> {
  const seeds = new Map(list.seeds.map((seed) => [seed.index, seed]))
  for (const { index, conclusion } of records) {
    const seed = seeds.get(index)
    const { category } = conclusions[conclusion]
    if (!seed || (category !== 'failed' && category !== 'notStarted')) continue
    yield `${oneLineJson(await list.textOf(seed))}\n`
  }
}
