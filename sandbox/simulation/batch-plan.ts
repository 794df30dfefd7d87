/** Draws the inputs of a batch, and one service for each of its runs. */
import { makeContext, type ScenarioContext } from './scenario-context.ts'
import type { SeededRandom } from './seeded-random.ts'
import type { Caller } from './secrets.ts'
import type { ServiceFront, SimulatedService } from './simulated-service.ts'
import { seedsFile } from './step-environment.ts'
import { drawStepPlan, type BatchPart, type StepPlan } from './step-plan.ts'

const most = 50

export interface BatchStep extends StepPlan {
  batch: BatchPart
}

export function drawBatchPlan(random: SeededRandom): BatchStep {
  const plan = drawStepPlan('batch', random.fork('step'))
  const batch = {
    seeds: drawSeeds(random),
    maxParallel: Math.round(random.sizeBetween(1, most)),
    failFast: random.chance(0.3),
  }
  return {
    ...plan,
    batch,
    inputs: {
      ...plan.inputs,
      ...listOf(batch, random),
      label: 'label',
      'max-parallel': String(batch.maxParallel),
      'fail-fast': String(batch.failFast),
    },
  }
}

function listOf({ seeds }: BatchPart, random: SeededRandom): Record<string, string> {
  if (random.chance(0.5)) return { 'seeds-file': seedsFile }
  return { seeds: `[${seeds.map(({ text }) => text).join(', ')}]` }
}

const labels = ['Berlin', '../../../escaped', 'CON', '::error::forged', '<b>|`x`', '', 'São Paulo']

/** Returns seeds with different texts. Each text changes if it is parsed and serialized again. */
function drawSeeds(random: SeededRandom): BatchPart['seeds'] {
  const count = Math.round(random.sizeBetween(1, most))
  return Array.from({ length: count }, (_, index) => {
    const label = random.pick(labels)
    return {
      label,
      text: `{"label":${JSON.stringify(label)},"exact":1.0,"big":1e400,"n":${index}}`,
    }
  })
}

/** Returns the context of a batch. All runs share clock and cache. Each has its own service. */
export function makeBatchContext(
  random: SeededRandom,
  caller: Caller,
  { timeout, batch }: BatchStep,
  attempts: number,
): ScenarioContext {
  const span = { timeout: Math.min(timeout, 600_000), attempts }
  const first = makeContext(random.fork('all'), caller, span, 'none')
  const runs = batch.seeds.map(({ text }, index) => {
    const subject = { seed: text, name: `of run ${index} ` }
    // Every second run usually takes less than 10 minutes, so many runs end before a re-run.
    const own = index % 2 === 0 ? { timeout: 60_000, attempts: 1 } : span
    return makeContext(random.fork(`run ${index}`), caller, own, 'none', first, subject)
  })
  return { ...first, runs, front: frontOf(runs, first.service) }
}

/**
 * Passes each request to the service of its run. Finds this service by the seed of a start, or by
 * the execution id of a check. `stranger` receives all other requests and records unknown ids.
 */
function frontOf(runs: readonly ScenarioContext[], stranger: SimulatedService): ServiceFront {
  const services = runs.map(({ service }) => service)
  return {
    serviceFor: ({ url, body }) => {
      const asked = decodeURIComponent(url.pathname.split('/').at(-2) ?? '')
      const found = services.find(({ seed, executions }) =>
        body === undefined ? executions.find(asked) : body.includes(seed),
      )
      return found ?? stranger
    },
    find: (link) => services.map((service) => service.find(link)).find((given) => given),
  }
}
