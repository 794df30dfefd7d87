/**
 * The sandbox as a program, for shells and workflows: `npm run sandbox -- [options]`. Prints its
 * credentials and its address when it is ready. Ends on SIGINT and SIGTERM.
 */
import process from 'node:process'
import { parseArgs } from 'node:util'
import { messageOf } from '../src/errors.ts'
import { openSandbox, sandboxCredentials } from './service/sandbox.ts'

const accepts = `The sandbox accepts the token ${sandboxCredentials.apiToken} with the key ${sandboxCredentials.apiKey}.`

const usage = `Usage: npm run sandbox -- [options]

  --port N   port on 127.0.0.1 (default: any free one)
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
  // Listened to before anything is open: a signal while opening must end it cleanly too.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    await using sandbox = await openSandbox({ port })
    // The address is the last line: .github/actions/sandbox reads no further.
    console.log(`${accepts} Copy these lines into a shell:
  export AUTOMATION_BASE_URL=${sandbox.baseUrl}
  export AUTOMATION_API_TOKEN=${sandbox.apiToken}
  export AUTOMATION_API_KEY=${sandbox.apiKey}
The sandbox is ready at ${sandbox.baseUrl}`)
    await ended
  } catch (error) {
    // For example, if the port is invalid.
    console.error(`The sandbox cannot be opened: ${messageOf(error)}`)
    process.exitCode = 1
  }
}
