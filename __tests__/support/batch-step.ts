/** Runs the action `batch` from its sources in simulated time, from its inputs to its verdict. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { SeededRandom } from '../../sandbox/simulation/seeded-random.ts'
import { SimulatedCache, SimulatedStorage } from '../../sandbox/simulation/simulated-cache.ts'
import { SimulatedClock } from '../../sandbox/simulation/simulated-clock.ts'
import { runStep } from '../../sandbox/simulation/simulated-step.ts'
import { PendingWork } from '../../sandbox/simulation/simulated-time.ts'
import { Traffic } from '../../sandbox/simulation/traffic.ts'
import { runBatch } from '../../src/actions/batch.ts'
import { readInputs } from '../../src/runner/inputs/inputs.ts'
import { readBatchInputs } from '../../src/runner/inputs/read-inputs.ts'
import type { ResultSchema } from '../../src/runner/result-schema/compiled-schema.ts'
import type { AutomationService } from '../../src/service/client.ts'
// These modules are loaded here, because simulated time does not wait for imports.
import '../../src/actions/batch/publish-batch.ts'
import '../../src/download/collect.ts'
import '../../src/messages/batch/junit.ts'
import { batchVariables } from './batch-inputs.ts'
import { BatchService, type Course, type ExecutionService } from './batch-service.ts'
import { storeOf } from './scripted-run.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

export interface Given {
  inputs?: Record<string, string>
  /** Milliseconds from the beginning. */
  cancelAfter?: number
  /** How many outputs the runner's file has space for. */
  outputsTaken?: number
  /** The schema of the step. The runs that keep files have the result `[]`. */
  schema?: (clock: SimulatedClock) => ResultSchema
}

/** Runs one seed per course, one after the other. The text of each seed is its course. */
export async function runBatchStep(courses: readonly Course[], given: Given = {}) {
  await using folder = await makeTemporaryFolder()
  const clock = new SimulatedClock({ maxJump: 0 })
  const service = new BatchService(clock)
  const schema = given.schema?.(clock)
  const nothing = { open: () => Promise.reject(new Error('nothing is kept')) }
  const store = schema ? storeOf('[]') : nothing
  const traffic = new Traffic()
  const random = new SeededRandom(1)
  const cache = new SimulatedCache()
  const storage = new SimulatedStorage({ cache, clock, random, traffic, rate: 0 })
  // The stand-in has all methods of the client that a batch uses.
  const client = service as ExecutionService as AutomationService
  const { recorded, ...ended } = await runStep({
    action: async (step, connect) => {
      const values = await readInputs(readBatchInputs, step.environment, '')
      return runBatch({ ...values, resultSchema: schema }, step, connect)
    },
    connect: () => ({
      service: client,
      store,
      openStorage: () => storage,
      openStatuses: () => Promise.reject(new Error('not asked for')),
    }),
    clock,
    environment: environmentIn(folder.path, {
      seeds: JSON.stringify(courses.map((course, number) => ({ number: number + 1, ...course }))),
      ...given.inputs,
    }),
    random,
    pending: new PendingWork(),
    timeLimit: 86_400_000,
    cancelAfter: given.cancelAfter,
    killAfter: undefined,
    outputsTaken: given.outputsTaken ?? Infinity,
    disconnect: () => undefined,
  })
  const annotated = (level: string) =>
    recorded.annotations.filter((one) => one.level === level).map(({ text }) => text)
  const read = (output: string) => readFile(recorded.output(output), 'utf8').catch(() => '')
  return {
    ...ended,
    service,
    log: recorded.lines.join('\n'),
    outputs: Object.fromEntries(recorded.outputs),
    errors: annotated('error'),
    warnings: annotated('warning'),
    /** The saved records, oldest first. */
    saved: traffic.records.map(({ content }) => JSON.parse(String(Buffer.from(content))) as object),
    failedSeeds: await read('failed-seeds-file'),
    summary: await read('summary-file'),
  }
}

function environmentIn(folder: string, given: Record<string, string>) {
  return {
    ...batchVariables(given),
    RUNNER_TEMP: folder,
    GITHUB_RUN_ID: '7',
    GITHUB_WORKSPACE: path.join(folder, 'workspace'),
    GITHUB_STEP_SUMMARY: path.join(folder, 'summary.md'),
  }
}
