/** Stand-ins for services that the examples use and act does not have. */
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import process from 'node:process'
import { stringify } from 'yaml'
import { z } from 'zod'
import { openGithubApi, type GithubApi } from '../../sandbox/runner/github-api.ts'
import { each } from './act-options.ts'
import { openChat, type Chat } from './chat.ts'
import { repository } from './checkout.ts'
import { openReceiver, secret, type OpenReceiver } from './receiver.ts'

/** A call of `gh`, or the inputs of another author's action (`uses`). */
const callSchema = z.object({
  command: z.string(),
  inputs: z.record(z.string(), z.string()),
  content: z.string().default(''),
})
type Call = z.infer<typeof callSchema>

export interface GithubSide extends AsyncDisposable {
  /** GitHub's API for commit statuses and dispatches. */
  api: GithubApi
  receiver: OpenReceiver
  chat: Chat
  /** The arguments for act. */
  args: string[]
  /** The folder of `gh`. It must be first on PATH. */
  bin: string
  credentials: string[]
  /** Returns the newest call of a command, or an empty call if there is none. */
  lastCall(command: string): Promise<Call>
  /** Sets the answers of `gh` by its command, for example `api repos/…` or `pr view …`. */
  answer(answers: Record<string, unknown>): Promise<undefined>
  /** Writes the payload of an event to a file and returns its path. */
  writeEvent(payload: unknown): Promise<string>
}

// The actions that the examples use, with their versions, and the programs that replace them.
const actionsOfOthers = {
  'actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a': 'action.mjs',
  'actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c': 'download-artifact.mjs',
  'dorny/test-reporter@a43b3a5f7366b97d083190328d2c652e1a8b6aa2': 'action.mjs',
  'marocchino/sticky-pull-request-comment@5770ad5eb8f42dd2c4f34da00c94c5381e49af88': 'action.mjs',
}
const theirInputs = ['name', 'path', 'pattern', 'overwrite', 'retention-days', 'header', 'number']
const standIns = path.join(import.meta.dirname, 'stand-ins')

export async function openGithubSide(): Promise<GithubSide> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'github-side-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const api = cleanup.use(await openGithubApi())
  const receiver = cleanup.use(await openReceiver(api, repository))
  const chat = cleanup.use(await openChat())
  await writeStandIns(folder)
  const write = async (name: string, value: unknown) => {
    const file = path.join(folder, name)
    await writeFile(file, JSON.stringify(value))
    return file
  }
  const calls = async () => {
    const lines = await readFile(path.join(folder, 'calls.jsonl'), { encoding: 'utf8', flag: 'a+' })
    return lines
      .split('\n')
      .filter(Boolean)
      .map((line) => callSchema.parse(JSON.parse(line)))
  }
  const kept = cleanup.move()
  return {
    api,
    receiver,
    chat,
    bin: path.join(folder, 'bin'),
    args: argumentsOf(folder, { api, receiver, chat }),
    credentials: [secret, api.token, chat.url],
    lastCall: async (command) => {
      const found = (await calls()).findLast((call) => call.command === command)
      return found ?? { command, inputs: {}, content: '' }
    },
    answer: (answers) => write('answers.json', answers).then(() => undefined),
    writeEvent: (payload) => write('event.json', payload),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Writes the stand-ins for actions of other authors and for `gh`. */
async function writeStandIns(folder: string): Promise<void> {
  const inputs = Object.fromEntries(theirInputs.map((name) => [name, { default: '' }]))
  const runs = { using: 'node24', main: 'main.mjs' }
  for (const program of new Set(Object.values(actionsOfOthers))) {
    const action = path.join(folder, program)
    await mkdir(action)
    await writeFile(path.join(action, 'action.yml'), stringify({ name: 'Stand-in', inputs, runs }))
    // The tool act copies only this folder. So main.mjs imports the program from its own folder, which
    // also has the files that the program imports.
    const source = pathToFileURL(path.join(standIns, program)).href
    await writeFile(path.join(action, 'main.mjs'), `import '${source}'\n`)
  }
  const bin = path.join(folder, 'bin')
  await mkdir(bin)
  const gh = path.join(bin, 'gh')
  const program = path.join(standIns, 'gh.mjs')
  await writeFile(gh, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(gh, 0o755)
}

function argumentsOf(
  folder: string,
  { api, receiver, chat }: Pick<GithubSide, 'api' | 'receiver' | 'chat'>,
): string[] {
  const actions = Object.entries(actionsOfOthers).map(([use, program]) => [
    use,
    path.join(folder, program),
  ])
  return [
    ...each('--env', { GITHUB_API_URL: api.url, STAND_IN_FOLDER: folder }),
    ...each('--var', { WEBHOOK_RECEIVER_URL: receiver.url }),
    ...each('--secret', {
      RECEIVER_SECRET: secret,
      GITHUB_TOKEN: api.token,
      CHAT_WEBHOOK_URL: chat.url,
    }),
    ...each('--local-repository', Object.fromEntries(actions) as Record<string, string>),
  ]
}
