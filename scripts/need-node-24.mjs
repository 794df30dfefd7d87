// Loaded before every program of ours (`--import` in package.json), and without types: a Node that
// is too old for what follows would answer it with a syntax error.
import process from 'node:process'

const needed = 24
const [major] = process.versions.node.split('.')

if (Number(major) < needed) {
  process.stderr.write(
    `Node ${needed} is needed, and this is ${process.versions.node}: npm ci brings Node ${needed} along; after npm ci --ignore-scripts, npm rebuild node does.\n`,
  )
  process.exit(1)
}
