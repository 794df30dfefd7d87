/** Stories that break one rule each, so that the judge has something to find. */
import { appendFile } from 'node:fs/promises'
import { ownActions } from '../../sandbox/chaos/own-actions.ts'
import type { Story } from '../../sandbox/chaos/performance.ts'
import type { Connections } from '../../src/actions/connect.ts'
import { NetworkError } from '../../src/service/errors.ts'
import type { Store } from '../../src/download/store.ts'
import { Outputs, type OutputName } from '../../src/runner/outputs.ts'
import { passed, type Step } from '../../src/runner/step.ts'

const { run: runAutomation, wait: waitForExecution } = ownActions

/** Starts once more, whatever came of the first time. */
export const startsTwice = runWith(({ service }) => {
  const start = service.startAutomation.bind(service)
  service.startAutomation = async (request, signal) => {
    await start(request, signal).catch(() => undefined)
    return start(request, signal)
  }
})

/** Parses the seed and writes it anew. */
export const rewritesTheSeed = runWith(({ service }) => {
  const start = service.startAutomation.bind(service)
  service.startAutomation = (request, signal) =>
    start({ ...request, seed: JSON.stringify(JSON.parse(request.seed ?? '{}')) }, signal)
})

export const forgetsTheId: Story = (step, connect) =>
  runAutomation(
    withOutputs(step, (name, value) => (name === 'execution-id' ? '' : value)),
    connect,
  )

export const claimsSuccess: Story = (step, connect) =>
  runAutomation(
    withOutputs(step, (name, value) => (name === 'conclusion' ? 'success' : value)),
    connect,
  )

export const cannotFetch: Story = (step, connect) =>
  waitForExecution(step, (action, connection) => ({
    ...connect(action, connection),
    store: { open: () => Promise.reject(new NetworkError('gone', { mayHaveArrived: false })) },
  }))

export const swallowsFailures: Story = async (step, connect) => {
  await runAutomation(step, connect).catch(() => undefined)
  return passed
}

export const failsAlways: Story = async (step, connect) => {
  await runAutomation(step, connect)
  return { kind: 'failed', annotation: { title: 'red', message: 'for nothing' } }
}

export const complainsTwice: Story = async (step, connect) => {
  const verdict = await runAutomation(step, connect)
  if (verdict.kind === 'failed') step.log.failure(verdict.annotation)
  return verdict
}

export const tellsTheToken: Story = async (step, connect) => {
  const { GITHUB_STEP_SUMMARY: file = '', 'INPUT_API-TOKEN': token = '' } = step.environment
  await appendFile(file, token)
  return runAutomation(step, connect)
}

/** Adds a line to the result. */
export const altersTheResult: Story = async (step, connect) => {
  let result = ''
  const noted = withOutputs(step, (name, value) => {
    if (name === 'result-file') result = value
    return value
  })
  const verdict = await runAutomation(noted, connect)
  if (result) await appendFile(result, '\n')
  return verdict
}

/** Keeps bytes in an encoding that it does not know, and says nothing. */
export const hidesEncodings: Story = (step, connect) =>
  waitForExecution(step, (action, connection) => {
    const { service, store } = connect(action, connection)
    const open: Store['open'] = async (...asked) => {
      const opened = await store.open(...asked)
      const others = Object.entries(opened.headers).filter(([name]) => name !== 'content-encoding')
      return { ...opened, headers: Object.fromEntries(others) }
    }
    return { service, store: { open } }
  })

/** Passes although the workflow never heard of its outputs. */
export const forgetsLostOutputs: Story = (step, connect) => {
  const set = (name: string, value: string) => {
    try {
      step.outputs.set(name as OutputName, value)
    } catch {
      // Lost.
    }
  }
  return runAutomation({ ...step, outputs: new Outputs(step.secrets, set) }, connect)
}

export const neverEnds: Story = () => new Promise(() => undefined)

export const isLate: Story = async (step, connect) => {
  const verdict = await runAutomation(step, connect)
  await step.clock.sleep(60_000)
  return verdict
}

export const leavesATimer: Story = (step, connect) => {
  step.clock.sleep(365 * 86_400_000).catch(() => undefined)
  return runAutomation(step, connect)
}

export const hasABug: Story = () => Promise.reject(new TypeError('undefined is not a function'))

function runWith(damage: (connections: Connections) => void): Story {
  return (step, connect) =>
    runAutomation(step, (action, connection) => {
      const connections = connect(action, connection)
      damage(connections)
      return connections
    })
}

function withOutputs(step: Step, change: (name: string, value: string) => string): Step {
  const outputs = new Outputs(step.secrets, (name, value) => {
    step.outputs.set(name as OutputName, change(name, value))
  })
  return { ...step, outputs }
}
