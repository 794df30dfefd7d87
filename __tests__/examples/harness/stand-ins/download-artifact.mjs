// Stands in for version 8 of actions/download-artifact, with a name or a pattern. Unpacks artifacts of
// act's artifact server: a single artifact without a folder, several artifacts into one folder each.
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { unzipSync } from 'fflate'

const { STAND_IN_ARTIFACTS, GITHUB_RUN_ID: runId, INPUT_PATH: target } = process.env
const wanted = process.env.INPUT_PATTERN || process.env.INPUT_NAME
const folder = path.join(STAND_IN_ARTIFACTS, runId)
const artifacts = new Map(
  globSync(wanted, { cwd: folder }).map((name) => {
    return [name, unzipSync(readFileSync(path.join(folder, name, `${name}.zip`)))]
  }),
)
for (const [name, files] of artifacts) {
  const own = artifacts.size === 1 ? target : path.join(target, name)
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(own, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
console.log(`Unpacked ${artifacts.size} artifacts: ${[...artifacts.keys()].join(', ')}`)
