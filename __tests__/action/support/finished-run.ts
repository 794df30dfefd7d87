import type { Sandbox } from '../../../sandbox/service/sandbox.ts'
import { run } from '../../sandbox/caller.ts'

/** Starts a run without an action, waits for its end, and returns its id. */
export async function finishRun(sandbox: Sandbox, automation = 'text-note'): Promise<string> {
  const { id } = await run(sandbox, automation)
  sandbox.requests.length = 0
  return id
}
