/** Implements the action `create-project`. It creates a project at most once. */
import { noticeOf, type Notice } from '../messages/notice.ts'
import type { CreateProjectInputs } from '../runner/inputs/action-inputs.ts'
import type { OutputOf } from '../runner/outputs.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { HttpError } from '../service/service-errors.ts'
import { saysProjectExists } from '../service/names.ts'
import { sendAtMostOnce, type NotAccepted } from '../service/send-at-most-once.ts'
import { logServiceAddress, type Connect } from './connections.ts'
import { messageOf } from '../errors.ts'
import { adviseOn, afterUnclearAnswer, capitalised } from '../messages/advice.ts'
import { describeStartRetry } from '../messages/progress.ts'
import { headingOf } from '../messages/catalogue.ts'

export async function createProject(
  { connection, project, ifExists }: CreateProjectInputs,
  step: Step<OutputOf<'create-project'>>,
  connect: Connect,
): Promise<Verdict> {
  const { name, region, dockerVersion } = project
  const { clock, random, cancelled, log, heartbeat, outputs } = step
  logServiceAddress(connection, step)
  const { service } = connect('create-project', connection)
  log.title('Create project')
  heartbeat.begin('creating the project')
  log.info(`Project ${name}, region ${region}, runtime image ${dockerVersion}`)

  const send = (untilAnswered: AbortSignal, untilConnected: AbortSignal) =>
    service.createProject(project, untilAnswered, untilConnected)
  const outcome = await sendAtMostOnce(send, {
    clock,
    until: cancelled,
    random,
    onPause: (failure, pause) => log.info(capitalised(describeStartRetry(failure, pause))),
  })
  if (outcome.kind === 'accepted') {
    outputs.set({ created: 'true', message: outcome.value.message })
    if (cancelled.aborted) return failed(cancelledAfterAnswer(name), step)
    log.verdict(`Project ${name} was created`, true)
    return passed
  }
  if (outcome.kind === 'unclear') return failed(projectUnknown(name, outcome), step)
  const { failure } = outcome
  if (!(failure instanceof HttpError && saysProjectExists(failure, name))) {
    outputs.set({ created: 'false' })
    return failed(projectNotCreated(name, outcome), step)
  }
  outputs.set({ created: 'false', message: failure.words })
  if (ifExists === 'fail') return failed(projectExists(name, failure), step)
  if (cancelled.aborted) return failed(cancelledAfterAnswer(name), step)
  log.verdict(`Project ${name} exists already (if-exists: skip)`, true)
  return passed
}

function failed(notice: Notice, { log }: Step): Verdict {
  log.verdict(notice.title, false)
  return { kind: 'failed', notice }
}

export function projectNotCreated(
  name: string,
  outcome: Exclude<NotAccepted, { kind: 'unclear' }>,
): Notice {
  const heading = headingOf('project-not-created', { name })
  if (outcome.kind === 'not-sent' && outcome.byCancel) {
    const what = 'The step was cancelled before anything was created.'
    return noticeOf(heading, [what], 'Re-run this job if you still need the project.')
  }
  const { why, hint } = adviseOn(outcome.failure, 'create-project')
  return noticeOf(heading, [`${why} Nothing was created.`], hint)
}

/** The notice of a step that was cancelled while it waited for the answer of the service. */
function cancelledAfterAnswer(name: string): Notice {
  const heading = headingOf('cancelled', { subject: `Project ${name}` })
  const what = 'The project exists now, but the step was cancelled while it waited for the answer.'
  return noticeOf(heading, [what], 'Set if-exists: skip before you re-run this job.')
}

export function projectUnknown(
  name: string,
  { failure, byCancel }: Extract<NotAccepted, { kind: 'unclear' }>,
): Notice {
  const why = byCancel ? 'the step was cancelled' : messageOf(failure)
  const look =
    "look for the project in the service's dashboard before you re-run this job, or set if-exists: skip."
  return noticeOf(
    headingOf('project-unknown', { name }),
    [`The request got no clear answer (${why}).`],
    afterUnclearAnswer(failure, look),
  )
}

export function projectExists(name: string, { words }: HttpError): Notice {
  return noticeOf(
    headingOf('project-exists', { name }),
    [`The service answered: ${words}`],
    'Choose another name. If the existing project is the right one, set if-exists: skip.',
  )
}
