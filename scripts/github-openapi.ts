// `npm run github-openapi -- [VERSION]`: takes the operations that we call out of GitHub's OpenAPI
// description. The package that carries it unpacks to 396 MB, too much for a dev dependency.
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { format, resolveConfig } from 'prettier'
import { extract, type OpenApi } from './github-openapi/extract.ts'

const target = path.resolve(import.meta.dirname, '../sandbox/runner/github-openapi.json')
const wanted = ['/repos/{owner}/{repo}/statuses/{sha}', '/repos/{owner}/{repo}/dispatches']

const [version = 'latest'] = process.argv.slice(2)
const folder = await mkdtemp(path.join(tmpdir(), 'github-openapi-'))
try {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8' }).trim()
  const archive = run('npm', 'pack', '--silent', `@octokit/openapi@${version}`)
  const file = 'package/generated/api.github.com.json'
  run('tar', '-xzf', archive, file)
  const whole = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as OpenApi
  const text = JSON.stringify(extract(whole, wanted))
  const config = await resolveConfig(target)
  await writeFile(target, await format(text, { ...config, parser: 'json' }))
} finally {
  await rm(folder, { recursive: true, force: true })
}
