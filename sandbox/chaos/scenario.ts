/** One life: a step among faults, the steps that come after it, and what is wrong with them. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Dice } from './dice.ts'
import type { Disruption, Extras } from './extra-faults.ts'
import { conclusionOf, readFiles, type Evidence } from './evidence.ts'
import { judge, judgeFetching } from './judge.ts'
import { Ledger } from './ledger.ts'
import type { Offence } from './offence.ts'
import { perform, type Story } from './performance.ts'
import { declarations } from './own-actions.ts'
import { environmentFor, fullDisk, type Defaults } from './stage-environment.ts'
import {
  calmWait,
  disrupt,
  drawCaller,
  drawStepPlan,
  type ActionName,
  type StepPlan,
} from './step-plan.ts'
import { connectTo, makeWorld, type World } from './world.ts'

export type Stories = Record<ActionName, Story>

/** What all lives share. */
export interface Theatre {
  stories: Stories
  defaults: Defaults
  /** An existing folder for what steps write; nothing stays in it. */
  folder: string
  extras: Extras
}

/** One step of a life. */
export interface Act {
  action: ActionName
  conclusion: string
  faults: readonly string[]
  offences: readonly Offence[]
  /** What a person sees of it: the log, then the annotations. */
  told: readonly string[]
}

/** Lives through what the seed decides. */
export async function liveThrough(seed: number, theatre: Theatre): Promise<Act[]> {
  const dice = new Dice(seed)
  const action = dice.weigh<ActionName>([
    [6, 'run'],
    [2, 'start'],
    [2, 'wait'],
    [1, 'create-project'],
  ])
  const { extras } = theatre
  const disruption = drawDisruption(extras, dice.fork('disruption'))
  const plan = disrupt(drawStepPlan(action, dice.fork('step')), disruption, dice.fork('disk'))
  const caller = drawCaller(dice.fork('caller'))
  const world = makeWorld(dice.fork('world'), caller, plan.timeout, { extras, disruption })
  if (action === 'wait') world.service.startedAt = world.clock.now() - dice.between(0, 60_000)
  const first = await act(plan, world, dice.fork('first'), theatre)
  return [first.act, ...(await followUp(first, world, dice, theatre))]
}

function drawDisruption(extras: Extras, dice: Dice): Disruption {
  const wanted = (['outage', 'disk-full'] as const).filter((name) => extras.has(name))
  return wanted.length > 0 && dice.chance(0.3) ? dice.pick(wanted) : 'none'
}

interface Acted {
  act: Act
  evidence: Evidence
}

/** Whatever became of the first step: a run whose id it told can be waited for, and fetched. */
async function followUp(
  { evidence }: Acted,
  world: World,
  dice: Dice,
  theatre: Theatre,
): Promise<Act[]> {
  const { plan, performance } = evidence
  const { service, clock } = world
  const isKnown = performance.recording.output('execution-id') !== ''
  if (!isKnown || service.startedAt === undefined || performance.hung !== undefined) return []
  const acts: Act[] = []
  if (plan.action === 'start') {
    const wait = drawStepPlan('wait', dice.fork('wait plan'))
    acts.push((await act(wait, world, dice.fork('wait'), theatre)).act)
  }
  service.revocable = false
  clock.skipTo(service.startedAt + world.plan.duration + 60_000)
  const fetched = await act(calmWait(), world, dice.fork('fetch'), theatre)
  const offences = [...fetched.act.offences, ...judgeFetching(fetched.evidence)]
  return [...acts, { ...fetched.act, offences }]
}

/** Past the deadline a download that flows may take ten minutes; nothing takes longer. */
const longestPublishing = 660_000

async function act(plan: StepPlan, world: World, dice: Dice, theatre: Theatre): Promise<Acted> {
  const { stories, defaults } = theatre
  const folder = path.join(theatre.folder, 'step')
  await mkdir(folder)
  await writeFile(path.join(folder, fullDisk), '')
  try {
    const ledger = new Ledger()
    if (plan.full) ledger.faults.push(`disk full: ${plan.full}`)
    if (plan.outputsTaken < Infinity) ledger.faults.push('disk full: outputs')
    const { executionId } = world.service
    const performance = await perform({
      ...world,
      story: stories[plan.action],
      inputs: declarations[plan.action],
      connect: connectTo(world, dice, plan.weather, ledger),
      environment: environmentFor(plan, executionId, world.caller, defaults, folder),
      dice: dice.fork('step'),
      patience: Math.max(plan.timeout, 120_000) + longestPublishing,
      cancelAfter: plan.cancelAfter,
      outputsTaken: plan.outputsTaken,
    })
    const files = await readFiles(performance, folder)
    const evidence = { plan, performance, ledger, world, files }
    const { action } = plan
    const conclusion = conclusionOf(performance) || (performance.passed ? 'passed' : 'failed')
    const offences = judge(evidence)
    const told = performance.recording.shown()
    return { act: { action, conclusion, faults: ledger.faults, offences, told }, evidence }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
