/** Everything outside of one run of a workflow: its service, its store, its time. */
import type { Connect } from '../../src/actions/connect.ts'
import { AutomationService } from '../../src/service/client.ts'
import type { Dice } from './dice.ts'
import type { Disruption, Extras } from './extra-faults.ts'
import type { Ledger } from './ledger.ts'
import type { Content } from './hostile.ts'
import { Busy } from './lifetime.ts'
import { drawOddEncoding } from './odd-encodings.ts'
import { Outage } from './outage.ts'
import { drawRunPlan, type RunPlan } from './run-plan.ts'
import { SimulatedClock } from './simulated-clock.ts'
import { SimulatedService } from './simulated-service.ts'
import { SimulatedStore, type Shelf } from './simulated-store.ts'
import { SimulatedTransport } from './simulated-transport.ts'
import { secretsOf, type Caller, type Weather } from './step-plan.ts'
import { StoredObject } from './stored-object.ts'

export interface World {
  clock: SimulatedClock
  plan: RunPlan
  caller: Caller
  service: SimulatedService
  objects: Shelf['objects']
  busy: Busy
  extras: Extras
  outage: Outage | undefined
}

/** What may go wrong in a world besides the usual. */
export interface Climate {
  extras: Extras
  disruption: Disruption
}

const beginning = Date.UTC(2026, 0, 5, 3)

export function makeWorld(
  dice: Dice,
  caller: Caller,
  timeout: number,
  { extras, disruption }: Climate,
): World {
  const clock = new SimulatedClock(beginning)
  const plan = drawRunPlan(dice.fork('run'), timeout, secretsOf(caller))
  const serviceDice = dice.fork('service')
  const projectExists = serviceDice.chance(0.3)
  const now = () => clock.now()
  const outage = disruption === 'outage' ? new Outage(dice.fork('outage')) : undefined
  const shelves = dice.fork('objects')
  const store = (content: Content, name: string) => {
    const odd = dice.fork(`odd ${name}`)
    const isOdd = extras.has('odd-encoding') && odd.chance(0.3)
    return new StoredObject(content, shelves, isOdd ? drawOddEncoding(odd) : undefined)
  }
  return {
    clock,
    plan,
    caller,
    extras,
    outage,
    busy: new Busy(),
    service: new SimulatedService({ now, dice: serviceDice, plan, projectExists, outage }),
    objects: {
      ...(plan.result && { result: store(plan.result, 'result') }),
      ...(plan.log && { log: store(plan.log, 'log') }),
    },
  }
}

/** The way of one step into this world; `ledger` sees what it does. */
export function connectTo(world: World, dice: Dice, weather: Weather, ledger: Ledger): Connect {
  return (_action, connection) => {
    const way = { ...world, dice: dice.fork('way'), ledger, rate: weather.service }
    const shelf = { ...world, dice: dice.fork('shelf'), ledger, rate: weather.store }
    return {
      service: new AutomationService(new SimulatedTransport(way), connection, connection),
      store: new SimulatedStore(shelf),
    }
  }
}
