/** GitHub's own description of its REST API, for the routes that we call, as a check of requests. */
import { readFileSync } from 'node:fs'
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'

interface Operation {
  requestBody: { content: { 'application/json': { schema: AnySchemaObject } } }
}

interface Description {
  paths: Record<string, { post: Operation }>
}

export type GithubRoute = 'status' | 'dispatch'

/** What GitHub refuses beside its description, by its documentation and its answers. */
const unwritten: Record<GithubRoute, AnySchemaObject> = {
  status: {
    type: 'object',
    properties: {
      // "description doesn't accept 4-byte Unicode"
      description: { type: ['string', 'null'], maxLength: 140, pattern: '^[\\u0000-\\uffff]*$' },
      context: { type: 'string', maxLength: 255 },
      target_url: { type: ['string', 'null'], pattern: '^https?://' },
    },
  },
  dispatch: { type: 'object' },
}
const templates: Record<GithubRoute, string> = {
  status: '/repos/{owner}/{repo}/statuses/{sha}',
  dispatch: '/repos/{owner}/{repo}/dispatches',
}
// Bytes: "The total size of the JSON payload must be less than 64KB."
const largestPayload = 64 * 1024

export interface DescribedRoute {
  route: GithubRoute
  /** The parameters in its path, decoded. */
  parameters: Record<string, string>
}

export class GithubDescription {
  readonly #checks: Record<GithubRoute, { path: RegExp; body: ValidateFunction }>

  constructor(file = new URL('github-openapi.json', import.meta.url)) {
    const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Description
    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true })
    const checkOf = (route: GithubRoute) => {
      const operation = paths[templates[route]]?.post
      if (!operation) throw new Error(`GitHub's description has no POST ${templates[route]}`)
      return { path: patternOf(templates[route]), body: ajv.compile(bodyOf(operation, route)) }
    }
    this.#checks = { status: checkOf('status'), dispatch: checkOf('dispatch') }
  }

  /** The route behind a path, where there is one. */
  routeOf(pathname: string): DescribedRoute | undefined {
    for (const route of ['status', 'dispatch'] as const) {
      const groups = this.#checks[route].path.exec(pathname)?.groups
      if (!groups) continue
      const decoded = Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)])
      return { route, parameters: Object.fromEntries(decoded) as Record<string, string> }
    }
    return undefined
  }

  /** Why GitHub would refuse this body; empty where it would not. */
  problemsOf(route: GithubRoute, text: string): string[] {
    const { body } = this.#checks[route]
    if (Buffer.byteLength(text) >= largestPayload) return ['the payload has 64 KiB or more']
    try {
      if (body(JSON.parse(text))) return []
    } catch {
      return ['Problems parsing JSON']
    }
    return (body.errors ?? []).map(({ instancePath, message = '', params }) =>
      [instancePath, message, JSON.stringify(params)].filter(Boolean).join(' '),
    )
  }
}

/** GitHub refuses members that it doesn't know, though its description allows them. */
function bodyOf({ requestBody }: Operation, route: GithubRoute): AnySchemaObject {
  const { schema } = requestBody.content['application/json']
  return { allOf: [{ ...schema, additionalProperties: false }, unwritten[route]] }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
}
