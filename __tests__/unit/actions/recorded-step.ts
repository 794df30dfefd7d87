/** A step that records its log, warnings and outputs. */
import { SimulatedClock } from '../../../sandbox/simulation/simulated-clock.ts'
import { Secrets } from '../../../src/messages/text/secrets.ts'
import { Heartbeat } from '../../../src/runner/heartbeat.ts'
import { createLog } from '../../../src/runner/log.ts'
import { Outputs, type OutputName } from '../../../src/runner/outputs.ts'
import type { Step } from '../../../src/runner/step.ts'

/** Inputs with which a step shows as little as possible. */
export const quietPublishing = {
  uploadArtifact: false,
  artifactName: undefined,
  retentionDays: undefined,
  printResult: false,
  printLog: 'never',
  summary: false,
} as const

interface Given {
  environment?: Step['environment']
  cancelled?: AbortSignal
  /** A text that the step must hide. */
  secret?: string
  /** How many outputs the runner's file has space for. */
  outputsTaken?: number
}

export function recordedStep({
  environment = {},
  cancelled,
  secret = '',
  outputsTaken = Infinity,
}: Given = {}) {
  const secrets = new Secrets(() => undefined)
  secrets.add(secret)
  const [printed, warnings, debugged]: [string[], string[], string[]] = [[], [], []]
  const outputs = new Map<string, string>()
  const print = (text: string | Error) => void printed.push(String(text))
  const warn = (text: string | Error) => void warnings.push(String(text))
  const debug = (text: string) => void debugged.push(text)
  const nothing = () => undefined
  const write = (name: string, value: string) => {
    if (outputs.size >= outputsTaken) throw new Error('no space left on disk')
    outputs.set(name, value)
  }
  const console = { info: print, debug, notice: print, warning: warn, error: warn }
  const clock = new SimulatedClock()
  const log = createLog({ ...console, startGroup: nothing, endGroup: nothing }, secrets, true)
  const step: Step<OutputName> = {
    clock,
    random: () => 0,
    environment,
    secrets,
    bundles: '',
    cancelled: cancelled ?? new AbortController().signal,
    log,
    heartbeat: new Heartbeat(log, clock, new AbortController().signal),
    outputs: new Outputs(secrets, write, nothing),
  }
  return { step, printed, debugged, warnings, outputs }
}
