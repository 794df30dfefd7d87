/** Records everything that a step gives to the runner: log lines, annotations and outputs. */
import type { Console } from '../../src/runner/log.ts'

export class StepRecord {
  /** The lines of the step's log. */
  readonly lines: string[] = []
  /** When each line was written. */
  readonly times: number[] = []
  /** The text of an annotation includes the properties as JSON. */
  readonly annotations: { level: 'notice' | 'warning' | 'error'; text: string }[] = []
  /** All outputs, including outputs that could not be written. */
  readonly outputs = new Map<string, string>()
  lostOutputs = 0
  /** When the step logged the address of the service. An earlier record was read before that. */
  introducedAt: number | undefined
  /** When the newest line was written. Undefined before the address of the service. */
  writtenAt: number | undefined
  /** When each id became the output `execution-id`. */
  readonly idsAt = new Map<string, number>()
  /** The longest time between two lines, in milliseconds. Debug lines do not count. */
  longestSilence = 0
  readonly #now: () => number
  #outputs = 0
  #closed = false

  constructor(now: () => number = () => 0) {
    this.#now = now
  }

  /** Ignores all later output of the step, because the process has ended. */
  close(): void {
    this.#closed = true
  }

  /** `room` is the number of outputs that fit into the file. @throws Error if the file is full. */
  takeOutput(name: string, value: string, room: number): void {
    if (this.#closed) return
    this.outputs.set(name, value)
    if (name === 'execution-id') this.idsAt.set(value, this.#now())
    this.#outputs++
    if (this.#outputs <= room) return
    this.lostOutputs++
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }

  readonly console: Console = {
    info: (text) => this.#print(text),
    debug: (text) => this.#add(`debug: ${text.replaceAll('\n', '%0A')}`),
    notice: (text, properties) => this.#annotate('notice', text, properties),
    warning: (text, properties) => this.#annotate('warning', text, properties),
    error: (text, properties) => this.#annotate('error', text, properties),
    startGroup: (name) => this.#add(`group: ${name}`),
    endGroup: () => this.#add('end of group'),
  }

  get errors(): number {
    return this.annotations.filter(({ level }) => level === 'error').length
  }

  /** Returns true if no line of the log has the id. An id that texts escape is not searched. */
  hides(id: string): boolean {
    return isPlain(id) && !this.lines.some((line) => line.includes(id))
  }

  output(name: string): string {
    return this.outputs.get(name) ?? ''
  }

  /** Returns the log, followed by the annotations. */
  shown(): string[] {
    return [...this.lines, ...this.annotations.map(({ level, text }) => `${level}: ${text}`)]
  }

  /** Returns all texts that the action wrote, except files and the output `result`. */
  texts(): string[] {
    const outputs = [...this.outputs].filter(([name]) => name !== 'result').map(([, text]) => text)
    return [...this.lines, ...this.annotations.map(({ text }) => text), ...outputs]
  }

  #print(text: string): void {
    if (this.#closed) return
    if (text.startsWith('Service ')) this.introducedAt ??= this.#now()
    this.#noteTime()
    this.#add(...text.split(/\r\n|\n|\r/))
  }

  #noteTime(): void {
    if (this.introducedAt === undefined) return
    const now = this.#now()
    this.longestSilence = Math.max(this.longestSilence, now - (this.writtenAt ?? now))
    this.writtenAt = now
  }

  #add(...lines: string[]): void {
    if (this.#closed) return
    this.lines.push(...lines)
    this.times.push(...lines.map(() => this.#now()))
  }

  #annotate(
    level: 'notice' | 'warning' | 'error',
    text: string | Error,
    properties: object | undefined,
  ): void {
    if (this.#closed) return
    this.#noteTime()
    const message = text instanceof Error ? text.message : text
    this.annotations.push({ level, text: `${message} ${JSON.stringify(properties ?? {})}` })
  }
}

/** Returns true if texts show the id as it is, and do not escape it. */
export function isPlain(id: string): boolean {
  return /^[\da-f-]+$/.test(id)
}

/** Returns the first line that the runner would execute as a workflow command, or undefined. */
export function findForgedCommand(lines: readonly string[]): string | undefined {
  let token: string | undefined
  return lines.find((line) => {
    const ends = token !== undefined && line === `::${token}::`
    const begins = token === undefined ? /^::stop-commands::(\S+)$/.exec(line)?.[1] : undefined
    if (ends) token = undefined
    if (begins !== undefined) token = begins
    const isCommand = /^\s*::/.test(line) || line.includes('##[')
    return isCommand && !ends && begins === undefined && token === undefined
  })
}
