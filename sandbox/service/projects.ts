import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonAnswer, type Answer } from '../http/answer.ts'
import type { AutomationsOf, Settings } from './options.ts'

/** These values are invented, because the service does not document its regions and versions. */
export const supportedRegions = ['eu-west-1', 'us-east-1', 'ap-south-1']
export const supportedDockerVersions = ['3.11', '3.12', '3.13']

/** The plan of the account allows so many projects. */
const maxProjects = 5

const requiredFields = ['region', 'docker_version', 'name']
const namePattern = /^[a-z0-9][a-z0-9_-]*$/

/** The projects of the account. */
export class Projects {
  readonly #settings: Settings
  readonly #projects: Map<string, AutomationsOf>

  constructor(settings: Settings) {
    this.#settings = settings
    this.#projects = new Map(Object.entries(settings.projects))
  }

  has(project: string): boolean {
    return this.#projects.has(project)
  }

  /** Returns the file of a project's automation, or undefined if there is no such automation. */
  async fileOf(project: string, automation: string): Promise<string | undefined> {
    const automations = this.#projects.get(project)
    if (!automations) return undefined
    const files = automations === 'all' ? { [automation]: automation } : automations
    const file = `${Object.hasOwn(files, automation) ? files[automation] : ''}.ts`
    const folder = this.#settings.automations
    // The name must be in the listing of the folder, so that a name like `../x` finds no file.
    return (await readdir(folder)).includes(file) ? join(folder, file) : undefined
  }

  /** Creates a project. Source: docs/contributing/service.md, "Create a project". */
  create(request: Record<string, unknown>): Answer {
    const missing = requiredFields.filter((field) => isBlank(request[field]))
    if (missing.length) {
      return jsonAnswer(400, { error: `Missing required field(s): ${missing.join(', ')}` })
    }
    const refusal = this.#refusalOf(request)
    if (refusal) return jsonAnswer(400, { message: refusal })
    this.#projects.set(String(request['name']), {})
    return jsonAnswer(200, { message: 'The deploy was created successfully.' })
  }

  #refusalOf({ region, docker_version: version, name }: Record<string, unknown>) {
    if (!isOneOf(supportedRegions, region)) return 'The selected region is not supported.'
    if (!isOneOf(supportedDockerVersions, version)) return 'This container image is not supported.'
    if (typeof name === 'string' && this.has(name)) {
      return `A project with the name ${name} already exists.`
    }
    if (typeof name !== 'string' || !namePattern.test(name)) {
      return 'The name must start with a lowercase letter or digit and contain only lowercase letters, digits, hyphens and underscores.'
    }
    if (this.#projects.size >= maxProjects) {
      return 'You have reached the maximum number of projects of your plan. Please upgrade your plan.'
    }
    return undefined
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function isOneOf(supported: string[], value: unknown): boolean {
  return typeof value === 'string' && supported.includes(value)
}
