/** What run and wait share: from a known execution to the step's verdict. */
import path from 'node:path'
import type { Deadline } from '../clock.ts'
import type { Conclusion } from '../execution/conclusion.ts'
import type { Ending } from '../execution/ending.ts'
import { hasArtifactService } from '../runner/artifact/publish-artifact.ts'
import { Uploader } from '../runner/artifact/uploader.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step, Verdict } from '../runner/step.ts'
import type { AutomationService } from '../service/client.ts'
import type { Store } from '../download/store.ts'
import { collectFiles, hideLinks } from './collecting.ts'
import type { Run, RunRecord } from '../messages/execution-record.ts'
import { publishFiles, publishFacts, type Published } from './publishing.ts'
import { report } from './reporting.ts'
import { watchRun } from './watching.ts'

export interface Following {
  run: Run
  waiting: RunInputs['waiting']
  publishing: RunInputs['publishing']
  /** The step's time, from its beginning. */
  deadline: Deadline
  service: AutomationService
  store: Store
}

export async function followToTheEnd(following: Following, step: Step): Promise<Verdict> {
  const { run, waiting, deadline, service } = following
  const uploader = openUploader(following, step)
  try {
    const plan = { ...waiting, executionId: run.executionId, deadline }
    const watched = await watchRun(plan, service, step)
    const ended = { finishedAt: step.clock.now(), finishedOn: step.clock.date() }
    const conclusion = conclusionOf(watched.ending)
    const { status } = watched.ending
    if (status) hideLinks(status, step)
    publishFacts({ run, conclusion, status, ...ended }, step)
    const published = await publish(following, watched.ending, ended, uploader, step)
    const unwritten = step.outputs.problem
    const facts = { ...following, ...watched, ...ended, conclusion, published, unwritten }
    return await report(facts, step)
  } finally {
    await uploader?.stop()
  }
}

export function conclusionOf(ending: Ending): Conclusion {
  switch (ending.kind) {
    case 'finished':
      return ending.outcome
    case 'timed-out':
    case 'cancelled':
      return ending.kind
    case 'not-found':
    case 'refused':
    case 'rejected':
      return 'unknown'
  }
}

/** Loaded while waiting: the artifact client is most of the action's weight. */
function openUploader({ publishing }: Following, step: Step): Uploader | undefined {
  if (!publishing.uploadArtifact || !hasArtifactService(step.environment)) return undefined
  return new Uploader({
    workerFile: path.join(step.bundleFolder, '..', 'upload', 'index.js'),
    debug: (line) => step.log.debug(line),
    mask: (value) => step.secrets.add(value),
    cancelled: step.cancelled,
    clock: step.clock,
  })
}

/** Only a run that has ended has anything to publish. */
async function publish(
  { run, publishing, deadline, service, store }: Following,
  ending: Ending,
  ended: Pick<RunRecord, 'finishedAt' | 'finishedOn'>,
  uploader: Uploader | undefined,
  step: Step,
): Promise<Published | undefined> {
  if (ending.kind !== 'finished') return undefined
  const files = await collectFiles(
    { ...run, ...publishing, status: ending.status, deadline: deadline.at },
    service,
    store,
    step,
  )
  const record = { run, conclusion: ending.outcome, status: ending.status, ...ended }
  return publishFiles({ files, record, publishing }, uploader, step)
}
