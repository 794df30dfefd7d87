import { describe, expect, it } from '@jest/globals'
import { takeShard, shardInput } from '../../../../src/runner/inputs/seed-list.ts'
import { outcome, problemsOf } from './outcome.ts'
import { listOf } from './read-list.ts'

describe('a shard', () => {
  it.each([
    ['0/1', { index: 0, total: 1 }],
    [' 19/20\n', { index: 19, total: 20 }],
  ])('%j', async (text, shard) => {
    expect(await outcome(shardInput, text)).toEqual(shard)
  })

  it.each(['4/4', '0/0', '/', '1', '-1/4', '1/4/8', '1 / 4', '0.5/2', `0/${'9'.repeat(20)}`])(
    '%j is refused',
    async (text) => {
      expect(await problemsOf(shardInput, text)).toEqual([
        `expected index/total such as 0/4, with the index from 0 and below the total, found "${text}"`,
      ])
    },
  )

  it('takes every total-th seed, which keeps its place in the whole list', async () => {
    const list = await listOf('[{"a":0},{"a":1},{"a":0},{"a":3},{"a":4}]')
    const shards = [0, 1, 2].map((index) => takeShard(list, { index, total: 3 }))
    const indexes = shards.map(({ seeds }) => seeds.map(({ index }) => index))
    expect(indexes).toEqual([[0, 3], [1, 4], [2]])
    expect(shards[2]?.seeds[0]).toMatchObject({ index: 2, occurrence: 1 })
    expect(shards.map(({ total }) => total)).toEqual([5, 5, 5])
  })

  it('may have no seed', async () => {
    expect(takeShard(await listOf('[{}]'), { index: 1, total: 2 }).seeds).toEqual([])
  })
})
