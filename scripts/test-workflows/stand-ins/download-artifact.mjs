// Stands in for version 8 of actions/download-artifact, with a name or a pattern. Unpacks artifacts of
// act's artifact server: a single artifact without a folder, several artifacts into one folder each.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { unzipSync } from 'fflate'

const { STAND_IN_ARTIFACTS: stored, GITHUB_RUN_ID: runId, INPUT_PATH: target } = process.env
const folder = path.join(stored, runId)
const names = globSync(process.env.INPUT_PATTERN || process.env.INPUT_NAME, { cwd: folder })
for (const name of names) {
  const own = names.length === 1 ? target : path.join(target, name)
  const files = unzipSync(readFileSync(path.join(folder, name, `${name}.zip`)))
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(own, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
console.log(`Unpacked ${names.length} artifacts: ${names.join(', ')}`)
