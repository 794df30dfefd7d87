/**
 * Runs the sandbox for shells and workflows: `npm run sandbox -- [options]`. Prints the credentials
 * and the address when the sandbox is ready. Ends on SIGINT and SIGTERM.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { messageOf } from '../src/errors.ts'
import { openSandbox, sandboxCredentials } from './service/sandbox.ts'

const accepts = `The sandbox accepts the token ${sandboxCredentials.apiToken} with the key ${sandboxCredentials.apiKey}.`

const usage = `Usage: npm run sandbox -- [options]

  --port N   the port on 127.0.0.1 (default: any free port)
  --help     shows this text

${accepts}`

const options = {
  port: { type: 'string', default: '0' },
  help: { type: 'boolean', default: false },
} as const

const values = readOptions(process.argv.slice(2))
if (values?.help) console.log(usage)
else if (values) await serve(Number(values.port))

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${usage}`)
    process.exitCode = 2
    return undefined
  }
}

async function serve(port: number): Promise<void> {
  // The listeners come first, so that a signal while the sandbox opens also ends it cleanly.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    await using sandbox = await openSandbox({ port })
    // The address must be the last line, because .github/actions/sandbox stops reading there.
    console.log(`${accepts} Copy these lines into a shell:
  export AUTOMATION_BASE_URL=${sandbox.baseUrl}
  export AUTOMATION_API_TOKEN=${sandbox.apiToken}
  export AUTOMATION_API_KEY=${sandbox.apiKey}
The sandbox is ready at ${sandbox.baseUrl}`)
    await ended
  } catch (error) {
    // For example, the port is invalid.
    console.error(`The sandbox cannot be opened: ${messageOf(error)}`)
    process.exitCode = 1
  }
}
