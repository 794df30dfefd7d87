/**
 * Tests how long each address of a host is tried. A service may be 300 ms away and have a second
 * address that cannot be reached. Such a network cannot be made on every machine.
 */
import { expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { runAction } from './support/run-action.ts'

const report = `--import=${new URL('./support/first-connection.mjs', import.meta.url).href}`

it.each([
  ['1 s, and not the 250 ms of Node', '', 1_000],
  ['longer, if the runner is set so', '--network-family-autoselection-attempt-timeout=3000', 3_000],
])('each address is tried for %s', async (_, option, span) => {
  await using sandbox = await openSandbox()
  const env = { NODE_OPTIONS: `${report} ${option}` }
  await using step = await runAction({ sandbox, automation: 'text-note', env })
  expect(step.exitCode).toBe(0)
  expect(step.log).toContain(`Each address is tried for ${span} ms`)
})
