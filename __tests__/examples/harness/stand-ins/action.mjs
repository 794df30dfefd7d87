// Stands in for actions of other authors in the examples. Records its inputs and the file at `path`.
import { appendFileSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'

const { STAND_IN_FOLDER: folder, GITHUB_RUN_ID: runId } = process.env
const given = Object.entries(process.env).filter(([name]) => name.startsWith('INPUT_'))
const inputs = Object.fromEntries(
  given.map(([name, value]) => [name.slice('INPUT_'.length).toLowerCase(), value]),
)
const content = readFileSync(inputs.path, 'utf8')
const call = { command: 'uses', runId, inputs, content }
appendFileSync(path.join(folder, 'calls.jsonl'), `${JSON.stringify(call)}\n`)
