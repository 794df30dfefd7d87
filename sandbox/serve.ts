/**
 * The sandbox as a program, for shells and workflows: `node sandbox/serve.ts [options]`.
 * Prints one line with its address when it is ready; ends on SIGINT and SIGTERM.
 */
import process from 'node:process'
import { messageOf } from '../src/errors.ts'
import { readOptions, usage } from './service/command-line.ts'
import { openSandbox } from './service/sandbox.ts'

const options = readOptions(process.argv.slice(2))
if ('problem' in options) {
  console.error(`${options.problem}\n\n${usage}`)
  process.exitCode = 2
} else if (options.help) console.log(usage)
else await serve(options.sandbox)

async function serve(settings: Parameters<typeof openSandbox>[0]): Promise<void> {
  // Listened to before anything is open: a signal while opening must end it cleanly too.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  try {
    await using sandbox = await openSandbox(settings)
    console.log(`The sandbox is ready at ${sandbox.baseUrl}`)
    await ended
  } catch (error) {
    console.error(`The sandbox cannot be opened: ${messageOf(error)}`)
    process.exitCode = 1
  }
}
