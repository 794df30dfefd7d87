/** What GitHub offers beside its runner, as far as the examples use it, on this machine. */
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { stringify } from 'yaml'
import { z } from 'zod'
import { openGithubApi, type GithubApi } from '../../sandbox/runner/github-api.ts'
import { repository } from './checkout.ts'
import { openReceiver, secret, type OpenReceiver } from './receiver.ts'

const callSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('gh'),
    command: z.array(z.string()),
    options: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  }),
  z.object({
    kind: z.literal('uses'),
    runId: z.string(),
    inputs: z.record(z.string(), z.string()),
    content: z.string(),
  }),
])
export type Call = z.infer<typeof callSchema>

export interface GithubSide extends AsyncDisposable {
  /** Statuses and dispatches. */
  api: GithubApi
  receiver: OpenReceiver
  /** What act needs to know of it. */
  args: string[]
  /** Has `gh`; belongs first on PATH. */
  bin: string
  credentials: string[]
  /** What steps asked `gh` for, and gave to actions of others, in order. */
  calls(): Promise<Call[]>
  /** What `gh` prints, by its command: `api repos/…`, `pr view …`. */
  answer(answers: Record<string, unknown>): Promise<void>
  /** The file of an event's payload. */
  writeEvent(payload: unknown): Promise<string>
}

// As the examples pin them.
const actionsOfOthers = [
  'actions/upload-artifact@043fb46d1a93c77aae656e7c1c64a875d1fc6a0a',
  'dorny/test-reporter@a43b3a5f7366b97d083190328d2c652e1a8b6aa2',
  'marocchino/sticky-pull-request-comment@5770ad5eb8f42dd2c4f34da00c94c5381e49af88',
]
const theirInputs = ['name', 'path', 'overwrite', 'retention-days', 'header', 'number']
const standIns = path.join(import.meta.dirname, 'stand-ins')

export async function openGithubSide(): Promise<GithubSide> {
  await using cleanup = new AsyncDisposableStack()
  const folder = await mkdtemp(path.join(tmpdir(), 'github-side-'))
  cleanup.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const api = cleanup.use(await openGithubApi())
  const receiver = cleanup.use(await openReceiver(api, repository))
  await layDown(folder)
  const write = async (name: string, value: unknown) => {
    const file = path.join(folder, name)
    await writeFile(file, JSON.stringify(value))
    return file
  }
  const kept = cleanup.move()
  return {
    ...{ api, receiver, args: argumentsOf(folder, api, receiver), bin: path.join(folder, 'bin') },
    credentials: [secret, api.token],
    calls: () => readCalls(path.join(folder, 'calls.jsonl')),
    answer: (answers) => write('answers.json', answers).then(() => undefined),
    writeEvent: (payload) => write('event.json', payload),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** The action that stands in for those of others, and `gh`. */
async function layDown(folder: string): Promise<void> {
  const [action, bin] = [path.join(folder, 'action'), path.join(folder, 'bin')]
  await Promise.all([mkdir(action), mkdir(bin)])
  const inputs = Object.fromEntries(theirInputs.map((name) => [name, { default: '' }]))
  const runs = { using: 'node24', main: 'action.mjs' }
  await writeFile(path.join(action, 'action.yml'), stringify({ name: 'Stand-in', inputs, runs }))
  await cp(path.join(standIns, 'action.mjs'), path.join(action, 'action.mjs'))
  const gh = path.join(bin, 'gh')
  const program = path.join(standIns, 'gh.mjs')
  await writeFile(gh, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(gh, 0o755)
}

function argumentsOf(folder: string, api: GithubApi, { url }: OpenReceiver): string[] {
  return [
    ...['--env', `GITHUB_API_URL=${api.url}`, '--env', `STAND_IN_FOLDER=${folder}`],
    ...['--var', `WEBHOOK_RECEIVER_URL=${url}`],
    ...['--secret', `RECEIVER_SECRET=${secret}`, '--secret', `GITHUB_TOKEN=${api.token}`],
    ...actionsOfOthers.flatMap((use) => [
      '--local-repository',
      `${use}=${path.join(folder, 'action')}`,
    ]),
  ]
}

async function readCalls(file: string): Promise<Call[]> {
  const lines = (await readFile(file, { encoding: 'utf8', flag: 'a+' })).split('\n')
  return lines.filter(Boolean).map((line) => callSchema.parse(JSON.parse(line)))
}
