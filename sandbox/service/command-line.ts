import { parseArgs } from 'node:util'
import { messageOf } from '../../src/errors.ts'
import type { SandboxOptions } from './options.ts'

export const usage = `Usage: node sandbox/serve.ts [options]

  --port N              port on 127.0.0.1 (default: any free one)
  --api-token TEXT      accepted token
  --api-key TEXT        accepted key
  --no-keep             automations keep neither result nor log
  --start-status N      status of a start's success: 200 or 202 (default)
  --start-answer KEYS   ids in its answer: execution_id (default), exec_uuid or both
  --link-lifetime N     seconds a link is good for (default: 60)
  --project-limit N     projects the plan allows (default: 5)
  --webhook URL         the automations' default webhook
  --help                this text`

type Read = { problem: string } | { help: boolean; sandbox: SandboxOptions }

/** Reads the options of the command line, or tells the first thing that is wrong with them. */
export function readOptions(words: string[]): Read {
  try {
    return read(words)
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

function read(words: string[]): Read {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: words,
    options: {
      ...{ port: text, 'api-token': text, 'api-key': text, webhook: text },
      ...{ 'start-status': text, 'start-answer': text },
      ...{ 'link-lifetime': text, 'project-limit': text },
      'no-keep': { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const lifetime = wholeNumber('--link-lifetime', values['link-lifetime'], 1, 1_000_000)
  const status = oneOf('--start-status', values['start-status'], ['200', '202'])
  const sandbox: Loose<SandboxOptions> = {
    port: wholeNumber('--port', values.port, 0, 65_535),
    apiToken: values['api-token'],
    apiKey: values['api-key'],
    keep: values['no-keep'] ? false : undefined,
    startStatus: status && (status === '200' ? 200 : 202),
    startAnswer: oneOf('--start-answer', values['start-answer'], startAnswers),
    linkLifetime: lifetime && lifetime * 1000,
    projectLimit: wholeNumber('--project-limit', values['project-limit'], 0, 1_000_000),
    defaultWebhook: values.webhook,
  }
  return { help: values.help ?? false, sandbox: withoutGaps(sandbox) }
}

type Loose<Type> = { [Key in keyof Type]?: Type[Key] | undefined }

/** An option that was not given must not overwrite its default. */
function withoutGaps(options: Loose<SandboxOptions>): SandboxOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

const startAnswers = ['execution_id', 'exec_uuid', 'both'] as const

function wholeNumber(option: string, text: string | undefined, least: number, most: number) {
  if (text === undefined) return undefined
  const value = /^\d{1,7}$/.test(text) ? Number(text) : NaN
  if (value >= least && value <= most) return value
  throw new Error(`Option '${option}' takes a whole number from ${least} to ${most}, not '${text}'`)
}

function oneOf<Word extends string>(
  option: string,
  text: string | undefined,
  words: readonly Word[],
): Word | undefined {
  if (text === undefined) return undefined
  const word = words.find((candidate) => candidate === text)
  if (word) return word
  throw new Error(`Option '${option}' takes ${words.join(' or ')}, not '${text}'`)
}
