import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from '../action/support/run-action.ts'
import { withoutColours } from './support/transcript.ts'

const escape = String.fromCharCode(0x1b)
const coloured = (code: number, text: string) => `${escape}[1;${String(code)}m${text}${escape}[0m`

it('titles are cyan, a success is green, and a failure is red', async () => {
  await using sandbox = await openSandbox()
  sandbox.script('next', [{ finished: true }])
  sandbox.script('next', [{ finished: true, stopped: true }])
  await using good = await runAction({ sandbox })
  await using bad = await runAction({ sandbox })
  for (const title of ['Start', 'Wait', 'Result', 'Publish'])
    expect(good.log).toContain(`\n${coloured(36, `▶ ${title}`)}\n`)
  expect(good.log).toContain(`${escape}[1;32m✓ text-note succeeded`)
  expect(bad.log).toContain(`${escape}[1;31m✗ text-note was stopped`)
  expect(withoutColours(good.log)).not.toContain(escape)
})
