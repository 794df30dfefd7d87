import { existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import type { ActionFile } from '../../sandbox/runner/action-file.ts'
import type { Connection } from './connection.ts'
import { type StartOptions, UsageError } from './options.ts'

/** The step's `with:`: the connection, then what the command line says. */
export function chooseInputs(
  action: ActionFile,
  connection: Connection,
  { inputs }: StartOptions,
): Record<string, string> {
  const offered = {
    ...connection.inputs,
    project: connection.project,
    // In the sandbox nobody pays for a check, and nobody wants to wait for the next one.
    ...(connection.isLocal && { 'poll-interval': '1s' }),
  }
  const known = Object.entries(offered).filter(([name]) => name in action.defaults)
  return { ...Object.fromEntries(known), ...inputs }
}

/**
 * @throws UsageError for inputs the action does not have, for a file of seeds that is not there, and
 *   for an action without its bundle.
 */
export async function checkAction(action: ActionFile, { inputs }: StartOptions): Promise<void> {
  const unknown = Object.keys(inputs).filter((name) => !(name in action.defaults))
  if (unknown.length > 0)
    throw new UsageError(
      `--input: the action has no ${unknown.join(', ')}; it has ${Object.keys(action.defaults).join(', ')}`,
    )
  const { 'seeds-file': seeds } = inputs
  if (seeds !== undefined && !existsSync(seeds)) {
    throw new UsageError(`--seeds: there is no file ${seeds}`)
  }
  await access(action.main).catch(() => {
    throw new UsageError(`${action.main} is missing: run npm run build first`)
  })
}
