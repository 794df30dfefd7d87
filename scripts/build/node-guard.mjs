// The first statement of an action's bundle. Older versions of Node lack what the bundle calls, and
// would end the step without a word. An import in `src/entries` would come too late, because a
// bundle runs its modules in an order of its own.
import process from 'node:process'

/** Its text runs on old versions of Node, so it uses only what they have. */
function isStoppedOnOldNode() {
  if (parseInt(process.versions.node) >= 24) return false
  process.exitCode = 1
  process.stdout.write(
    '::error title=Node 24 is needed::' +
      `This action needs Node 24. This runner started it with Node ${process.versions.node}.%0A` +
      'Next: Update the runner to 2.327.1 or later. With act and other runners, put Node 24 first on PATH.%0A' +
      'Help: https://github.com/run-automation/run-automation/blob/v1/docs/troubleshooting.md#node-24-is-needed\n',
  )
  return true
}

/** Returns CommonJS code that does the same, but on an old Node only writes one annotation. */
export function withNodeGuard(code) {
  return `if((${isStoppedOnOldNode})())return\n${code}`
}
