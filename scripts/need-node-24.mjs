// Loaded before every program of this repository (`--import` in package.json). This file has no types,
// because they are a syntax error in an old Node.
import process from 'node:process'

const needed = 24
const [major] = process.versions.node.split('.')

if (Number(major) < needed) {
  process.stderr.write(
    `This program needs Node ${needed}, but this is Node ${process.versions.node}. Run npm ci, which installs Node ${needed}. After npm ci --ignore-scripts, run npm rebuild node.\n`,
  )
  process.exit(1)
}
