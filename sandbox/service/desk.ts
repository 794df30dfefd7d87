import { identify, type AccessRules, type Account } from './accounts.ts'
import { jsonAnswer, type Answer } from './answer.ts'
import { answerControl } from './control.ts'
import type { Executions } from './executions.ts'
import type { Faults } from './faults.ts'
import type { Links } from './links.ts'
import type { Projects } from './projects.ts'
import type { Desk } from './routes.ts'
import { parseJson, readStartRequest } from './start-request.ts'

export interface Departments {
  access: AccessRules
  projects: Record<Account, Projects>
  executions: Executions
  links: Links
  faults: Faults
  startStatus: 200 | 202
  startAnswer: 'execution_id' | 'exec_uuid' | 'both'
}

/** The service's answers, one per documented route, with its checks in the documented order. */
export function openDesk(service: Departments): Desk {
  const { access, projects, executions, links, faults } = service
  return {
    identify: ({ headers }) => identify(headers, access),
    createProject: (account, body) => createProject(projects[account], body),
    async start(account, project, automation, body) {
      const own = projects[account]
      if (!own.has(project)) return jsonAnswer(403, { message: 'This project does not exist.' })
      const file = await own.fileOf(project, automation)
      if (!file) return jsonAnswer(403, { message: 'This automation does not exist.' })
      const start = readStartRequest(body)
      if ('problem' in start) return jsonAnswer(400, { message: start.problem })
      const { id } = await executions.start({ account, project, automation, file, start })
      return jsonAnswer(service.startStatus, {
        status: 'success',
        message: `The automation ${automation} started.`,
        ...idsOf(id, service.startAnswer),
      })
    },
    async status(account, id) {
      const execution = executions.find(account, id)
      if (!execution) return jsonAnswer(404, { error: 'Execution not found.' })
      return jsonAnswer(200, { ...(await executions.status(execution)) })
    },
    link: (request, serving) => links.answer(request, serving),
    linkTarget(token) {
      const file = links.fileOf(token)
      return file && `link-${file}`
    },
    control: (request, segments) => answerControl({ executions, faults }, request, segments),
  }
}

function createProject(projects: Projects, body: string): Answer {
  const request = parseJson(body)
  if (isObject(request)) return projects.create(request)
  return jsonAnswer(400, { message: 'The body must be a JSON object.' })
}

/** How the two ids relate is not documented: with `both`, only the status route's own one works. */
function idsOf(id: string, keys: Departments['startAnswer']): Record<string, string> {
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
