// Stands in for the commands of `gh` that the examples use. Records each call. The trial sets the answers
// of `gh api`, `gh pr view` and `gh issue list`. `gh run download` writes the file that a step of an earlier
// trial stored.
// Options that the examples do not use are errors.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'

const { STAND_IN_FOLDER: folder, GH_TOKEN: token } = process.env
const text = { type: 'string' }
const { values, positionals } = parseArgs({
  options: {
    ...{ repo: text, name: text, ref: text, json: text, jq: text },
    ...{ state: text, label: text, title: text, 'body-file': text },
    ...{ color: text, description: text, force: { type: 'boolean' } },
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
else if (isFetch) print(positionals.join(' '))
else if (!isChange) fail(`unknown command ${positionals}`)

/** The first try for a run finds nothing, as if the webhook were sent before the artifact is there. */
function download(run) {
  const isFirst = !earlier.some(({ command }) => command === `run download ${run}`)
  const stored = earlier.findLast(
    ({ command, runId, inputs }) =>
      command === 'uses' && runId === run && inputs.name === values.name,
  )
  if (isFirst || !stored) fail('no artifact matches any of the names or patterns provided')
  else writeFileSync(path.basename(stored.inputs.path), stored.content)
}

function print(key) {
  const answers = JSON.parse(readFileSync(path.join(folder, 'answers.json'), 'utf8'))
  if (!(key in answers)) return fail(`HTTP 404: Not Found (${key})`)
  const input = JSON.stringify(answers[key])
  const { status, stdout, stderr } = spawnSync('jq', ['--raw-output', values.jq ?? '.'], { input })
  process.stdout.write(stdout)
  if (status !== 0) fail(String(stderr))
}

function readLines(file) {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n')
  return lines.filter(Boolean).map((line) => JSON.parse(line))
}

function fail(message) {
  console.error(message)
  process.exitCode = 1
}
