// Stands in for the commands of `gh` that the examples use. Records each call. The trial sets the answers
// of `gh pr view`, `gh issue list`, and of routes of `gh api` that the stand-in of GitHub's API does not have.
// `gh run download` writes the file that a step of an earlier trial stored.
// Options that the examples do not use are errors.
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const {
  STAND_IN_FOLDER: folder,
  GH_TOKEN: token,
  GITHUB_API_URL: apiUrl,
  GITHUB_EVENT_NAME,
} = process.env
const text = { type: 'string' }
const { values, positionals } = parseArgs({
  options: {
    ...{ repo: text, name: text, dir: text, ref: text, json: text, jq: text },
    paginate: { type: 'boolean' },
    ...{ state: text, label: text, title: text, 'body-file': text },
    ...{ color: text, description: text, force: { type: 'boolean' }, comment: text },
    'raw-field': { type: 'string', multiple: true },
  },
  allowPositionals: true,
})
const calls = path.join(folder, 'calls.jsonl')
const earlier = readLines(calls)
const fields = (values['raw-field'] ?? []).map((field) => /^([^=]*)=(.*)$/s.exec(field).slice(1))
const call = { command: positionals.join(' '), inputs: Object.fromEntries(fields) }
appendFileSync(calls, `${JSON.stringify(call)}\n`)

const [group, command, subject] = positionals
const isFetch = group === 'api' || ['pr view', 'issue list'].includes(`${group} ${command}`)
const isChange = ['workflow', 'issue', 'label'].includes(group)
if (!token) fail('To use GitHub CLI in a GitHub Actions workflow, set the GH_TOKEN environment')
else if (group === 'run' && command === 'download') download(subject)
else if (isFetch) await print(positionals.join(' '))
else if (!isChange) fail(`unknown command ${positionals}`)

/**
 * The first try after a webhook finds nothing, as if the artifact were not there yet. If an attempt has
 * stored an empty file first, the next try finds that file. Like `gh`, replaces no file.
 */
function download(run) {
  const served = earlier.filter(({ command }) => command === `served ${run}`)
  const stored = earlier.filter(
    ({ command, runId, inputs }) =>
      command === 'uses' && runId === run && inputs.name === values.name,
  )
  const isEmpty = ({ content }) => content === ''
  const isEarly = GITHUB_EVENT_NAME === 'repository_dispatch' && served.length === 0
  const found = served.some(isEmpty) ? undefined : stored.find(isEmpty)
  const { inputs, content } = (isEarly ? undefined : (found ?? stored.at(-1))) ?? {}
  appendFileSync(calls, `${JSON.stringify({ command: `served ${run}`, inputs: {}, content })}\n`)
  if (!inputs) return fail('no artifact matches any of the names or patterns provided')
  const target = values.dir ?? '.'
  mkdirSync(target, { recursive: true })
  writeFileSync(path.join(target, path.basename(inputs.path)), content, { flag: 'wx' })
}

async function print(key) {
  const file = readFileSync(path.join(folder, 'answers.json'), { encoding: 'utf8', flag: 'a+' })
  const answers = JSON.parse(file || '{}')
  const input = key in answers ? JSON.stringify(answers[key]) : await ask(key.replace('api ', ''))
  if (input === undefined) return fail(`HTTP 404: Not Found (${key})`)
  const { status, stdout, stderr } = spawnSync('jq', ['--raw-output', values.jq ?? '.'], { input })
  process.stdout.write(stdout)
  if (status !== 0) fail(String(stderr))
}

async function ask(route) {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await globalThis.fetch(`${apiUrl}/${route}`, { headers })
  return answer.ok ? answer.text() : undefined
}

function readLines(file) {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
