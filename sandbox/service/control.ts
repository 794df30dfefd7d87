import { z } from 'zod'
import { messageOf } from '../../src/errors.ts'
import { jsonAnswer, type Answer } from './answer.ts'
import type { Executions } from './executions.ts'
import { faultSchema, type Faults } from './faults.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { parseJson } from './start-request.ts'
import { scriptedStatusSchema } from './status-record.ts'

export interface Controlled {
  executions: Executions
  faults: Faults
}

/**
 * What the service's dashboard does, and what tests do to it, for shells and workflows. No part of
 * the documented interface; without credentials, as the sandbox listens on loopback only.
 */
export function answerControl(
  controlled: Controlled,
  { method, body }: RecordedRequest,
  [action, id]: readonly string[],
): Answer {
  try {
    return act(controlled, `${method} ${action ?? ''}`, id ?? '', body)
  } catch (error) {
    return jsonAnswer(400, { message: messageOf(error) })
  }
}

function act({ executions, faults }: Controlled, what: string, id: string, body: string): Answer {
  switch (what) {
    case 'GET health':
      return jsonAnswer(200, { status: 'ok' })
    case 'GET executions':
      return jsonAnswer(200, { executions: executions.all.map(describe) })
    case 'POST stop':
      if (!executions.has(id)) return jsonAnswer(404, { error: 'Execution not found.' })
      executions.stop(id)
      return jsonAnswer(200, { message: `The execution ${id} is being stopped.` })
    case 'POST script':
      executions.script(id, z.array(scriptedStatusSchema).parse(parseJson(body)))
      return jsonAnswer(200, { message: 'The script is set.' })
    case 'POST faults':
      faults.inject(faultSchema.parse(parseJson(body)))
      return jsonAnswer(200, { message: 'The fault is set.' })
    default:
      return jsonAnswer(404, { detail: 'Not found.' })
  }
}

function describe({ id, project, automation, flags, startedAt, finishedAt }: Executions['all'][0]) {
  return { id, project, automation, flags, startedAt, finishedAt: finishedAt ?? null }
}
