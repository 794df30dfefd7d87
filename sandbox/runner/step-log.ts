import { type Command, parseCommand } from './command.ts'
import { Masks } from './masks.ts'

export type Level = 'error' | 'warning' | 'notice'

/** An annotation with unescaped texts. Its properties have the names that the command used. */
export interface Annotation {
  level: Level
  message: string
  title?: string
  file?: string
  line?: string
  endLine?: string
  col?: string
  endColumn?: string
}

export interface StepLogOptions {
  /** True if debug lines are shown (RUNNER_DEBUG). */
  debug: boolean
  /** The values that are masked from the first line on. */
  secrets: readonly string[]
  /** Called with each line of the masked log. */
  onLine: (shown: string) => void
}

const levels: readonly string[] = ['error', 'warning', 'notice']
const known = new Set(
  'add-mask add-matcher add-path debug echo endgroup error group notice remove-matcher save-state set-env set-output stop-commands warning'.split(
    ' ',
  ),
)

/** Reads the output of a step as the runner does: executes commands and shows masked lines. */
export class StepLog {
  readonly commands: Command[] = []
  readonly annotations: Annotation[] = []
  readonly masks: string[] = []
  /** Set by the deprecated command `set-output`. */
  readonly outputs: Record<string, string> = {}
  /** Set by the deprecated command `save-state`. */
  readonly state: Record<string, string> = {}
  readonly hidden = new Masks()
  readonly #options: StepLogOptions
  readonly #shown: string[] = []
  #stopToken: string | undefined

  constructor(options: StepLogOptions) {
    this.#options = options
    for (const secret of options.secrets) this.hidden.add(secret)
  }

  get text(): string {
    return this.#shown.map((line) => `${line}\n`).join('')
  }

  take(line: string): void {
    const command = parseCommand(line, (name) => this.#isCommand(name.toLowerCase()))
    if (!command) this.#show(line)
    else if (this.#stopToken === undefined) this.#execute(command, line)
    else if (command.command.toLowerCase() === this.#stopToken) this.#resume(line)
    else this.#show(line)
  }

  /** Adds an annotation that the runner itself makes. */
  annotate(level: Level, message: string): void {
    this.annotations.push({ level, message })
    this.#show(`##[${level}]${message}`)
  }

  #isCommand(name: string): boolean {
    return known.has(name) || (this.#stopToken !== undefined && name === this.#stopToken)
  }

  #show(line: string): void {
    const shown = this.hidden.hide(line)
    this.#shown.push(shown)
    this.#options.onLine(shown)
  }

  #execute(command: Command, line: string): void {
    this.commands.push(command)
    const name = command.command.toLowerCase()
    const { message, properties } = command
    if (levels.includes(name)) this.#takeAnnotation(name as Level, command)
    else if (name === 'add-mask') this.#mask(message)
    else if (name === 'debug') this.#showDebug(message)
    else if (name === 'group' || name === 'endgroup')
      this.#show(`##[${name}]${name === 'group' ? message : ''}`)
    else if (name === 'stop-commands') this.#stop(message, line)
    else if (name === 'set-output') this.outputs[properties['name'] ?? ''] = message
    else if (name === 'save-state') this.state[properties['name'] ?? ''] = message
    else if (name === 'set-env' || name === 'add-path')
      this.annotate('error', `Unable to process command '${line}': the command is disabled.`)
  }

  #takeAnnotation(level: Level, { message, properties }: Command): void {
    this.annotations.push({ ...properties, level, message })
    this.#show(`##[${level}]${message}`)
  }

  #mask(value: string): void {
    if (value.trim() === '')
      this.annotate('warning', "Can't add secret mask for empty string in ##[add-mask] command.")
    else {
      this.masks.push(value)
      this.hidden.add(value)
    }
  }

  #showDebug(message: string): void {
    if (this.#options.debug)
      for (const line of message.split(/\r?\n/)) this.#show(`##[debug]${line}`)
  }

  #stop(token: string, line: string): void {
    if (token === '' || known.has(token.toLowerCase()) || token.toLowerCase() === 'pause-logging')
      this.annotate('error', 'Invalid stop-commands token. Use a random text.')
    else {
      this.#stopToken = token.toLowerCase()
      if (token.length > 6) this.hidden.add(token)
      this.#show(line)
    }
  }

  #resume(line: string): void {
    this.#stopToken = undefined
    this.#show(line)
  }
}
