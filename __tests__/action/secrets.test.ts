import { describe, expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import { openCacheService } from '../../sandbox/runner/cache-service.ts'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import type { FaultTarget } from '../../sandbox/service/faults.ts'
import { openSandbox, sandboxCredentials, type Sandbox } from '../../sandbox/service/sandbox.ts'
import { answering, serve } from '../support/http-server.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { requestsOf } from './support/facts.ts'
import { finishRun } from './support/finished-run.ts'
import { runAction, startAction, type Inputs, type Scenario } from './support/run-action.ts'
import { placesWith, tracesOf } from './support/traces.ts'
import { within } from './support/until.ts'
import { itWithSignals } from './support/with-signals.ts'

const secret = 'key/"S3cret"!'
/** As `echo` and HTTP Basic encode the secret, at each of the three offsets. */
const inBase64 = ['', 'u', 'u:'].map((before) =>
  Buffer.from(`${before}${secret}\n`).toString('base64'),
)
const spellings = [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...inBase64,
  sandboxCredentials.apiToken,
]
/** Everything that comes from outside says this. Invisible characters are in the last secret. */
const text = [...spellings, Array.from(secret).join('\u200b')].join(' ')
const words = JSON.stringify({ message: text, msg: text })
/** No format escapes these texts, so they are found wherever a secret was escaped or cut. */
const marks = ['S3cret', ...inBase64.map((form) => form.slice(4, 16)), sandboxCredentials.apiToken]

// The secret is a header of the webhook. Actions without a webhook have the secret as their key.
const webhook = { webhook: 'http://127.0.0.1:9/', 'webhook-headers': `X-Signature: ${secret}` }
const dashboard = `https://dashboard.example/${encodeURIComponent(secret)}/{execution-id}`
const start = { project: text, automation: text, 'dashboard-url': dashboard, ...webhook }
const wait = { 'execution-id': text, 'api-key': secret }
const project = { name: 'a', region: text, 'docker-version': text, 'api-key': secret }
const all = { 'print-log': 'always', 'upload-artifact': 'true' }
const commitStatus = { 'commit-status': text }

const automation = `
  console.log(seed.text)
  if (seed.hangs) await new Promise((resolve) => setTimeout(resolve, 600_000))
  if (seed.fails) throw new Error(seed.text)
  const rows = [1, 2, 3].map((number) => ({ [seed.text]: number + seed.text, number }))
  if (!seed.escapes) return rows
  const escaped = JSON.stringify(rows).replaceAll('S3cret', '\\\\u00533cret')
  return { contentType: 'application/json', body: Buffer.from(escaped) }`
const telling = JSON.stringify({ text })
const failing = JSON.stringify({ text, fails: true })
const escaping = JSON.stringify({ text, escapes: true })
const hanging = JSON.stringify({ text, hangs: true })
const numbers = '{"items":{"additionalProperties":{"type":"number"}}}'

interface Services {
  sandbox: Sandbox
  /** A link to a file that contains the text. */
  link: string
}

/** Makes the service answer each request to a route with this status and body. */
function answer(on: FaultTarget, status: number, body = words) {
  return ({ sandbox }: Services) =>
    sandbox.faults.inject({ on, fault: 'status', status, body, times: 'always' })
}

function answerStatus(finished: boolean) {
  return (services: Services) => {
    const { link } = services
    const flags = { finished, error: false, stopped: false, container_error: false }
    const record = { ...flags, exec_uuid: text, result_url: link, logs_url: link }
    answer('status', 200, JSON.stringify(record))(services)
  }
}

interface Case {
  action: 'run' | NonNullable<Scenario['action']>
  end: 'success' | 'failure' | 'invalid result' | 'input error' | 'cancellation'
  inputs: Inputs
  prepare?: (services: Services) => void
  /** True if GitHub, its artifacts and its cache refuse all requests with the text. */
  isRefused?: true
  /** The line of the log after which the step is cancelled. */
  cancelAfter?: RegExp
  /** The places that show `***` in place of a secret. */
  redacted: string
}

const cases: Case[] = [
  {
    action: 'run',
    end: 'success',
    inputs: { ...start, ...all, seed: telling },
    redacted: 'artifact execution.json, execution.json, log, output log, summary, summary.md',
  },
  {
    action: 'run',
    end: 'failure',
    inputs: { ...start, ...all, seed: failing, retries: '1', 'retry-on': 'error' },
    redacted:
      'annotations, artifact execution.json, execution.json, log, output cause, output log, summary, summary.md',
  },
  {
    action: 'run',
    end: 'invalid result',
    inputs: { ...start, ...all, seed: escaping, 'result-schema': numbers },
    isRefused: true,
    redacted: 'annotations, execution.json, log, output cause, output log, summary, summary.md',
  },
  {
    action: 'run',
    end: 'input error',
    inputs: { ...start, timeout: text },
    redacted: 'annotations, log, output cause',
  },
  {
    action: 'run',
    end: 'cancellation',
    inputs: { ...start, seed: hanging },
    isRefused: true,
    cancelAfter: /\bWait\b/,
    redacted: 'annotations, log, summary, summary.md',
  },
  {
    action: 'start',
    end: 'success',
    inputs: { ...start, ...commitStatus, seed: telling },
    redacted: 'commit status, log, output message',
  },
  {
    action: 'start',
    end: 'failure',
    inputs: { ...start, ...commitStatus },
    prepare: answer('start', 400),
    redacted: 'annotations, log',
  },
  {
    action: 'start',
    end: 'input error',
    inputs: { ...start, 'on-rerun': text },
    redacted: 'annotations, log',
  },
  {
    action: 'start',
    end: 'cancellation',
    inputs: start,
    prepare: answer('start', 429),
    cancelAfter: /Next try in/,
    redacted: 'annotations, log',
  },
  {
    action: 'wait',
    end: 'success',
    inputs: { ...wait, ...all, ...commitStatus },
    prepare: answerStatus(true),
    redacted:
      'artifact execution.json, commit status, execution.json, log, output log, output status, summary, summary.md',
  },
  {
    action: 'wait',
    end: 'failure',
    inputs: { ...wait, ...commitStatus },
    prepare: answer('status', 403),
    isRefused: true,
    redacted: 'annotations, log, output cause, summary, summary.md',
  },
  {
    action: 'wait',
    end: 'input error',
    inputs: { ...wait, timeout: text },
    redacted: 'annotations, log, output cause',
  },
  {
    action: 'wait',
    end: 'cancellation',
    inputs: wait,
    prepare: answerStatus(false),
    cancelAfter: /\bWait\b/,
    redacted: 'annotations, log, summary, summary.md',
  },
  {
    action: 'batch',
    end: 'success',
    inputs: { ...start, ...all, seeds: `[${telling}, ${telling}]`, label: 'text' },
    redacted:
      'artifact junit.xml, artifact results.jsonl, junit.xml, log, output results, results.jsonl, summary, summary.md',
  },
  {
    action: 'batch',
    end: 'failure',
    inputs: { ...start, ...all, seeds: `[${telling}, ${failing}]`, label: 'text' },
    redacted:
      'annotations, artifact junit.xml, artifact results.jsonl, junit.xml, log, output cause, output results, results.jsonl, summary, summary.md',
  },
  {
    action: 'batch',
    end: 'input error',
    inputs: { ...start, seeds: '[]', 'on-rerun': text },
    redacted: 'annotations, log, output cause',
  },
  {
    action: 'batch',
    end: 'cancellation',
    inputs: { ...start, seeds: `[${hanging}]`, label: 'text' },
    isRefused: true,
    cancelAfter: /Run 1 .*: execution/,
    redacted: 'annotations, log, output cause, output results, results.jsonl, summary, summary.md',
  },
  {
    action: 'create-project',
    end: 'success',
    inputs: project,
    prepare: answer('create-project', 200),
    redacted: 'log, output message',
  },
  {
    action: 'create-project',
    end: 'failure',
    inputs: project,
    prepare: answer('create-project', 400),
    redacted: 'annotations, log',
  },
  {
    action: 'create-project',
    end: 'input error',
    inputs: { ...project, 'if-exists': text },
    redacted: 'annotations, log',
  },
  {
    action: 'create-project',
    end: 'cancellation',
    inputs: project,
    prepare: answer('create-project', 429),
    cancelAfter: /Next try in/,
    redacted: 'log',
  },
]

async function check(given: Case): Promise<void> {
  const { action, end, inputs, prepare, isRefused, cancelAfter, redacted } = given
  await using automations = await makeAutomations({ automation })
  const projects = { [text]: { [text]: 'automation' } }
  await using sandbox = await openSandbox({ automations: automations.folder, projects })
  await using store = await serve((response) => {
    const name = spellings.join(' ')
    response.writeHead(200, { 'content-type': name, 'content-encoding': name }).end(text)
  })
  await using github = await serve(answering(isRefused ? 403 : 201, words))
  await using artifactService = await openArtifactService()
  await using cacheService = await openCacheService()
  await using home = await makeTemporaryFolder()
  prepare?.({ sandbox, link: store.url })
  if (isRefused) {
    artifactService.inject({ on: 'create', fault: 'status', status: 403, body: words })
    cacheService.inject({ on: 'create', fault: 'status', status: 403, body: words })
  }
  const running = startAction({
    sandbox,
    ...(action !== 'run' && { action }),
    inputs,
    artifactService,
    cacheService,
    githubApi: { url: github.url, token: 'ghs_token' },
    env: { RUNNER_DEBUG: '1', HOME: home.path, USERPROFILE: home.path },
  })
  if (cancelAfter) {
    await within(running.waitForLine(cancelAfter))
    running.signal('SIGINT')
  }
  await using step = await within(running.result)
  expect(step.exitCode).toBe(end === 'success' ? 0 : 1)
  const sent = github.seen.map(({ path, body }) => path + body).join('\n')
  const traces = { ...(await tracesOf(step)), 'commit status': sent }
  // Machines read these outputs, so they are never altered.
  const unaltered = ['output execution-id', 'output execution-url']
  const shown = placesWith([...marks, ...signaturesOf(sandbox)], traces)
  expect(shown.filter((place) => !unaltered.includes(place))).toEqual([])
  expect(placesWith(['***'], traces).join(', ')).toBe(redacted)
}

/** Returns the parts of requested links that give access. */
function signaturesOf(sandbox: Sandbox): string[] {
  const links = requestsOf(sandbox, 'link').map(({ path }) => path)
  return links.flatMap((link) => link.split(/[/?&=]/).filter((part) => part.length > 30))
}

describe('secrets in all texts from outside are shown nowhere', () => {
  it.each(cases.filter(({ cancelAfter }) => !cancelAfter))('$action: $end', check)

  itWithSignals.each(cases.filter(({ cancelAfter }) => cancelAfter))('$action: $end', check)

  it('wait: links that fail in every way', async () => {
    await using sandbox = await openSandbox()
    for (const fault of ['expired', 'reset-before-answer', 'cut-after', 'half-chunked'] as const) {
      sandbox.faults.inject({ on: 'link', fault })
    }
    const inputs = { 'execution-id': await finishRun(sandbox) }
    await using step = await runAction({ sandbox, action: 'wait', inputs })
    expect(step.exitCode).toBe(0)
    const signatures = signaturesOf(sandbox)
    expect(signatures).toHaveLength(12)
    expect(placesWith(signatures, await tracesOf(step))).toEqual([])
  })
})

function masksOf(commands: StepResult['commands']): string[] {
  return commands.filter(({ command }) => command === 'add-mask').map(({ message }) => message)
}

it('masks are printed before all other lines', async () => {
  await using sandbox = await openSandbox()
  const header = 'Bearer wh-secret-"quoted"/5d1c'
  const inputs = {
    webhook: 'https://user:wh-password-77@127.0.0.1:9/hook',
    'webhook-headers': `Authorization: ${header}\nX-Signature: wh-signature-0042`,
  }
  await using step = await runAction({ sandbox, inputs })
  const lines = step.stdout.split('\n')
  const first = lines.findIndex((line) => !line.startsWith('::add-mask::'))
  const headers = [header, header.replace('Bearer ', ''), 'wh-signature-0042', 'wh-password-77']
  expect(masksOf(step.commands.slice(0, first))).toEqual(
    expect.arrayContaining([sandbox.apiToken, sandbox.apiKey, ...headers]),
  )
})

it.each(['run', 'wait'])('the signatures of links are masked by %s', async (name) => {
  await using sandbox = await openSandbox()
  const wait = { action: 'wait', inputs: { 'execution-id': await finishRun(sandbox) } } as const
  await using step = await runAction({ sandbox, ...(name === 'wait' && wait) })
  const queries = requestsOf(sandbox, 'link').map(({ path }) => path.split('?')[1] ?? '')
  const signatures = queries.flatMap((query) => new URLSearchParams(query).getAll('signature'))
  expect(signatures.length).toBeGreaterThan(1)
  expect(masksOf(step.commands)).toEqual(expect.arrayContaining(signatures))
})
