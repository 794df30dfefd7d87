import type { ScriptedStatus } from '../../sandbox/service/status-record.ts'

export interface LinkPair {
  result: string
  log: string
}

/** Returns the status answers of a run that has succeeded, one per check, with these links. */
export function endedWith(...links: LinkPair[]): ScriptedStatus[] {
  return links.map(({ result, log }) => ({ finished: true, result_url: result, logs_url: log }))
}
