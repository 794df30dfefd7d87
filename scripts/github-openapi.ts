// `npm run github-openapi -- [VERSION]`: takes the requests that we make out of GitHub's OpenAPI
// description. The package that carries it unpacks to 396 MB, too much for a dev dependency.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { format, resolveConfig } from 'prettier'

const target = path.resolve(import.meta.dirname, '../sandbox/runner/github-openapi.json')
const templates = ['/repos/{owner}/{repo}/statuses/{sha}', '/repos/{owner}/{repo}/dispatches']

interface OpenApi {
  info: { version: string }
  paths: Record<string, { post: { requestBody: unknown } }>
}

const [version = 'latest'] = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'github-openapi-'))
try {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8' }).trim()
  const archive = run('npm', 'pack', '--silent', `@octokit/openapi@${version}`)
  const file = 'package/generated/api.github.com.json'
  run('tar', '-xzf', archive, file)
  const whole = await readFile(path.join(folder, file), 'utf8')
  const config = await resolveConfig(target)
  const { info, paths } = JSON.parse(whole, withoutProse) as OpenApi
  const bodies = templates.map((template) => {
    const { requestBody } = paths[template]?.post ?? {}
    if (!requestBody) throw new Error(`The description has no POST ${template}`)
    return [template, { post: { requestBody } }] as const
  })
  const text = JSON.stringify({ version: info.version, paths: Object.fromEntries(bodies) })
  await writeFile(target, await format(text, { ...config, parser: 'json' }))
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Leaves out what is for readers. A property may be called "description" too: that is an object. */
function withoutProse(key: string, value: unknown): unknown {
  const isProse = key === 'description' && typeof value === 'string'
  return isProse || /^(examples?|x-.*)$/.test(key) ? undefined : value
}
