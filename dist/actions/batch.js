if((function isStoppedOnOldNode() {
  if (parseInt(process.versions.node) >= 24) return false
  process.exitCode = 1
  process.stdout.write(
    '::error title=Node 24 is needed::' +
      `This action needs Node 24. This runner started it with Node ${process.versions.node}.%0A` +
      'Next: Update the runner to 2.329.0 or later. With act and other runners, put Node 24 first on PATH.%0A' +
      'Help: https://github.com/run-automation/run-automation/blob/main/docs/troubleshooting.md#node-24-is-needed\n',
  )
  return true
})())return
require('./index.js').actions['batch']()
