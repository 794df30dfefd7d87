import { describe, expect, it } from '@jest/globals'
import path from 'node:path'
import { startProcess } from '../../sandbox/runner/step-process.ts'
import { type FixtureAction, makeAction } from './fixture-action.ts'

function start({ folder }: FixtureAction, streamTimeout: number) {
  const lines: string[] = []
  const { child, end } = startProcess({
    main: path.join(folder, 'main.mjs'),
    workspace: folder,
    ownGroup: false,
    environment: {},
    streamTimeout,
    onLine: (line) => lines.push(line),
  })
  return { child, end, lines }
}

describe('the process of a step', () => {
  it('has ended only after its last byte has been read', async () => {
    const bytes = 8 * 1024 * 1024
    await using action = await makeAction(
      `process.stdout.write('x'.repeat(${String(bytes)}) + '!')`,
    )
    const { end, lines } = start(action, 60_000)
    expect((await end).stdout).toHaveLength(bytes + 1)
    expect(lines.map(({ length }) => length)).toEqual([bytes + 1])
  })
})
