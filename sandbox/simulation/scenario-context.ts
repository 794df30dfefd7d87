/** Creates the parts that the steps of one scenario share, such as the service and the clock. */
import type { Connect } from '../../src/actions/connections.ts'
import { AutomationService } from '../../src/service/client.ts'
import { drawExecutionPlan, type ExecutionPlan, type JobSpan } from './execution-plan.ts'
import { Outage } from './outage.ts'
import { secretsOf, type Caller } from './secrets.ts'
import type { SeededRandom } from './seeded-random.ts'
import { SimulatedCache, SimulatedStorage } from './simulated-cache.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { simulatedGithub } from './simulated-github.ts'
import { SimulatedService, type ServiceFront, type ServiceOptions } from './simulated-service.ts'
import { SimulatedStore } from './simulated-store.ts'
import { PendingWork } from './simulated-time.ts'
import { SimulatedTransport } from './simulated-transport.ts'
import { seed, type Disruption, type FaultRates } from './step-plan.ts'
import { StoredObject } from './stored-object.ts'
import type { Traffic } from './traffic.ts'

/** What the checks know about one step after the attempts so far. */
class StepHistory {
  /** Executions that a later attempt must find if the cache works. */
  readonly expected = new Set<string>()
  /** The reported conclusion of each execution. In a batch, only of executions that failed. */
  readonly reported = new Map<string, string>()
  /** Executions that a re-run need not find: not saved, replaced, or in a successful batch. */
  readonly exempt = new Set<string>()
  /** Executions that a batch has reported as successful. */
  readonly succeeded = new Set<string>()
  cacheWorks = true
}

export interface ScenarioContext {
  clock: SimulatedClock
  plan: ExecutionPlan
  caller: Caller
  service: SimulatedService
  /** Receives the requests. Equals `service`, except in a batch, where each run has a service. */
  front: ServiceFront
  /** The contexts of the runs of a batch. */
  runs: readonly ScenarioContext[]
  objects: ServiceOptions['objects']
  pending: PendingWork
  outage: Outage | undefined
  cache: SimulatedCache
  history: StepHistory
}

type SharedContext = Pick<ScenarioContext, 'clock' | 'cache' | 'pending'>

export function makeContext(
  random: SeededRandom,
  caller: Caller,
  span: JobSpan,
  disruption: Disruption,
  /** The parts shared with another step of the job, or with another run of the batch. */
  { clock, cache, pending }: SharedContext = {
    clock: earlyClock(random.fork('clock')),
    cache: new SimulatedCache(),
    pending: new PendingWork(),
  },
  subject: Pick<ServiceOptions, 'seed' | 'name'> = { seed },
): ScenarioContext {
  const plan = drawExecutionPlan(random.fork('execution'), span, secretsOf(caller))
  const outage = disruption === 'outage' ? new Outage(random.fork('outage')) : undefined
  const drawn = random.fork('objects')
  const objects = {
    ...(plan.result && { result: new StoredObject(plan.result, drawn) }),
    ...(plan.log && { log: new StoredObject(plan.log, drawn) }),
  }
  const options = { clock, random: random.fork('service'), plan, outage, objects, ...subject }
  const service = new SimulatedService(options)
  return {
    clock,
    cache,
    plan,
    caller,
    outage,
    history: new StepHistory(),
    pending,
    objects,
    service,
    front: service,
    runs: [],
  }
}

/** Returns a clock whose timers fire up to 1 ms early, as Node's timers may do. */
export function earlyClock(random: SeededRandom): SimulatedClock {
  return new SimulatedClock({ maxJump: 0, early: () => random.number() })
}

/** Connects one step to service, store, cache and GitHub. `traffic` records the requests. */
export function connectTo(
  context: ScenarioContext,
  random: SeededRandom,
  faultRates: FaultRates,
  traffic: Traffic,
): Connect {
  const [transport, store] = [random.fork('transport'), random.fork('store')]
  const github = { random: random.fork('github'), rate: faultRates.service }
  const cache = { ...context, random: random.fork('cache'), traffic, rate: faultRates.cache }
  return (_action, connection) => ({
    service: new AutomationService(
      new SimulatedTransport({ ...context, random: transport, traffic, rate: faultRates.service }),
      connection,
    ),
    store: new SimulatedStore({ ...context, random: store, traffic, rate: faultRates.store }),
    openStorage: () => new SimulatedStorage(cache),
    openStatuses: simulatedGithub({ ...github, clock: context.clock, traffic }),
  })
}
