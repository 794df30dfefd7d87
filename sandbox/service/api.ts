import { jsonAnswer, type Answer } from '../http/answer.ts'
import type { PendingFaults } from '../http/pending-faults.ts'
import type { Executions } from './executions.ts'
import type { FaultInput } from './faults.ts'
import type { Links } from './links.ts'
import type { Settings } from './options.ts'
import type { Projects } from './projects.ts'
import type { RecordedRequest } from './recorded-request.ts'
import { parseJson, readStartRequest } from './start-request.ts'

/** The state that the routes read and change. */
export interface Service {
  settings: Settings
  projects: Projects
  executions: Executions
  links: Links
  faults: PendingFaults<FaultInput>
  requests: RecordedRequest[]
}

export function createProject({ projects }: Service, _: unknown, body: string): Answer {
  const request = parseJson(body)
  if (isObject(request)) return projects.create(request)
  return jsonAnswer(400, { message: 'The body must be a JSON object.' })
}

/** Starts an automation. Checks the project and the automation before the body. */
export async function startAutomation(
  { projects, executions, settings }: Service,
  [project = '', automation = '']: readonly string[],
  body: string,
): Promise<Answer> {
  if (!projects.has(project)) return jsonAnswer(403, { message: 'This project does not exist.' })
  const file = await projects.fileOf(project, automation)
  if (!file) return jsonAnswer(403, { message: 'This automation does not exist.' })
  const start = readStartRequest(body)
  if ('problem' in start) return jsonAnswer(400, { message: start.problem })
  const { id } = executions.start({ project, automation, file, start })
  const message = `The automation ${automation} started.`
  const ids = idsOf(id, settings.startAnswer)
  return jsonAnswer(settings.startStatus, { status: 'success', message, ...ids })
}

export async function answerStatus(
  { executions }: Service,
  [id = '']: readonly string[],
): Promise<Answer> {
  const execution = executions.find(id)
  if (!execution) return jsonAnswer(404, { error: 'Execution not found.' })
  return jsonAnswer(200, await executions.status(execution))
}

/** Returns the ids in the answer to a start. With `both`, only `exec_uuid` has a status record. */
function idsOf(id: string, keys: Settings['startAnswer']): Record<string, string> {
  switch (keys) {
    case 'execution_id':
      return { execution_id: id }
    case 'exec_uuid':
      return { exec_uuid: id }
    case 'both':
      return { execution_id: `run-${id.slice(0, 8)}`, exec_uuid: id }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
