// Starts the sandbox in the background, and outputs its address and credentials. close.mjs ends it.
import { spawn } from 'node:child_process'
import { appendFile, open } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { sandboxCredentials } from '../../../sandbox/service/credentials.ts'

const { GITHUB_OUTPUT, GITHUB_STATE, RUNNER_TEMP } = process.env
const program = path.join(import.meta.dirname, '../../../sandbox/serve.ts')

// The sandbox writes its errors to a file, because a runner may wait for a stream that a child process
// of a step holds open.
const log = path.join(RUNNER_TEMP, 'sandbox.log')
await using logFile = await open(log, 'a')
// The sandbox has its own process group, because a runner may end the group of a finished step.
const child = spawn(process.execPath, [program], {
  stdio: ['ignore', 'pipe', logFile.fd],
  detached: true,
})
await appendFile(GITHUB_STATE, `pid=${child.pid}\nlog=${log}\n`)
const baseUrl = await readAddress()
await appendFile(
  GITHUB_OUTPUT,
  `base-url=${baseUrl}\napi-token=${sandboxCredentials.apiToken}\napi-key=${sandboxCredentials.apiKey}\n`,
)
console.log(`The sandbox is ready at ${baseUrl}`)
child.stdout.destroy()
child.unref()

async function readAddress() {
  for await (const line of createInterface({ input: child.stdout })) {
    const [, address] = /^The sandbox is ready at (\S+)$/.exec(line) ?? []
    if (address) return address
  }
  throw new Error(`The sandbox ended before it was ready. See ${log}.`)
}
