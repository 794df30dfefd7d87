import { changed, quote, refuse, settingText } from './text.ts'

/** A part of a list: every `total`-th seed, beginning at `index`. */
export interface Shard {
  index: number
  total: number
}

/** As `strategy.job-index` and `strategy.job-total` give it. */
export const shardInput = changed(settingText, (text, context): Shard => {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  const shard = { index: Number(index), total: Number(total) }
  if (Number.isSafeInteger(shard.total) && shard.index < shard.total) return shard
  return refuse(
    context,
    `expected index/total such as 0/4, with the index from 0 and below the total, found ${quote(text)}`,
  )
})

/** `index`: a seed's place in the whole list. */
export function isInShard(index: number, shard: Shard | undefined): boolean {
  return shard === undefined || index % shard.total === shard.index
}
