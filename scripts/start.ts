// `npm start` runs one bundled action as GitHub's runner does, by default against a local sandbox.
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { readActionFile } from '../sandbox/runner/action-file.ts'
import { type RunningStep, startStep, type StepResult } from '../sandbox/runner/runner.ts'
import makeBundlesUnderTest from './build/fresh-bundles.mjs'
import { root } from './docs/action-files.ts'
import { attemptsOf, openServices } from './start/attempts.ts'
import { describeAutomations, readAutomations } from './start/automations.ts'
import { connect } from './start/connection.ts'
import { makeKeptFolder } from './start/kept-folder.ts'
import { isNewerThanDist } from './start/newer-sources.ts'
import { help, readOptions, type StartOptions, UsageError } from './start/options.ts'
import { summaryPage } from './pictures/pages.ts'
import { describeResult } from './start/report.ts'
import { showLines } from './start/shown-line.ts'

const tryNext = `Try next  npm start -- --rerun          a second attempt takes over the run of the first
          npm start -- --action batch   a run for each of many seeds, with one summary
`
// A pipe or a file has no colours.
const hasColours = process.stdout.isTTY && process.stdout.hasColors()

try {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options === 'help') console.log(help)
  else if (options === 'list') console.log(describeAutomations(await readAutomations()))
  else process.exitCode = await run(options)
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\nSee npm start -- --help`)
  process.exitCode = 2
}

async function run(options: StartOptions): Promise<number> {
  if (isNewerThanDist(root)) await makeBundlesUnderTest({ nonFlagArgs: [] })
  const { defaults } = await readActionFile(options.action)
  await using connection = await connect(options, process.env)
  await using services = await openServices()
  const connecting = Object.entries(connection.inputs).filter(([name]) => name in defaults)
  const kept = await makeKeptFolder()
  let exitCode = 1
  let summary: string | undefined
  for (const [index, { title, env, inputs }] of attemptsOf(options).entries()) {
    console.log(`${title} ${options.name} against ${connection.name}\n`)
    if (connection.remark !== undefined) console.log(`${connection.remark}\n`)
    const temp = path.join(kept, String(index + 1))
    await mkdir(temp)
    const artifacts = path.join(temp, 'artifacts')
    const show = showLines(artifacts)
    const step = startStep({
      action: options.action,
      inputs: { ...Object.fromEntries(connecting), ...options.inputs, ...inputs },
      env: { ...passedOn(process.env), ...services.env, ...env },
      ...services.shared,
      temp,
      workspace: process.cwd(),
      ownGroup: true,
      onLine: (line) => {
        const shown = show(line)
        if (shown !== undefined) console.log(hasColours ? shown : stripVTControlCharacters(shown))
      },
    })
    forwardSignals(step)
    // The folder `temp` stays, so that people can open the files that the outputs name.
    await using result = await step.result
    await keepArtifacts(result, artifacts)
    console.log(describeResult(result, artifacts))
    summary = await keepSummary(result)
    exitCode = result.exitCode ?? 1
  }
  if (process.argv.length === 2) console.log(tryNext)
  if (summary !== undefined) console.log(`Open ${summary} in a browser: it is the job summary.`)
  return exitCode
}

/** Returns the environment variables for proxies, certificates and debug lines. */
function passedOn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = /^(?:https_proxy|no_proxy|NODE_EXTRA_CA_CERTS|RUNNER_DEBUG)$/i
  const pairs = Object.entries(environment).filter(([name]) => names.test(name))
  return Object.fromEntries(pairs.map(([name, value = '']) => [name, value]))
}

// After Ctrl-C, the step reports its execution id, and then this program ends.
function forwardSignals(step: RunningStep): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => step.signal(name))
}

/** Writes the files of the step's artifacts to a folder. */
async function keepArtifacts({ artifacts }: StepResult, folder: string): Promise<void> {
  for (const { files } of artifacts) {
    for (const [name, content] of Object.entries(files)) {
      const file = path.join(folder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, content)
    }
  }
}

/** Writes the job summary to an HTML file and returns its path. Returns undefined without a summary. */
async function keepSummary({ summary, temp }: StepResult): Promise<string | undefined> {
  if (summary === '') return undefined
  const file = path.join(temp, 'summary.html')
  await writeFile(file, await summaryPage('Job summary', summary, 'light'))
  return file
}
