/** Implements the action `create-project`. It creates a project at most once. */
import { describeProblem, type Problem } from '../messages/annotation.ts'
import { messageOutput } from '../messages/text/shown-texts.ts'
import type { CreateProjectInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { HttpError } from '../service/errors.ts'
import { saysProjectExists } from '../service/names.ts'
import { sendAtMostOnce, type NotAccepted } from '../service/send-at-most-once.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { messageOf } from '../errors.ts'
import { adviseOn, afterUnclearAnswer, capitalised } from '../messages/advice.ts'
import { describeStartRetry } from '../messages/progress.ts'
import type { Secrets, Show } from '../messages/text/secrets.ts'
import { headingOf } from '../messages/catalogue.ts'

export async function createProject(
  { connection, project, ifExists }: CreateProjectInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { name, region, dockerVersion } = project
  const { clock, random, cancelled, log, outputs, secrets } = step
  const { show } = secrets
  logServiceAddress(connection, step)
  const { service } = connect('create-project', connection)
  log.title('Create project')
  log.info(`Project ${name}, region ${region}, runtime image ${dockerVersion}`)

  const send = (signal: AbortSignal, whileConnecting: AbortSignal) =>
    service.createProject(project, signal, whileConnecting)
  const outcome = await sendAtMostOnce(send, {
    clock,
    signal: cancelled,
    random,
    onPause: (failure, pause) => log.info(capitalised(describeStartRetry(failure, pause))),
  })
  if (outcome.kind === 'accepted') {
    outputs.set({ created: 'true', message: messageOutput(outcome.value.message, show) })
    if (cancelled.aborted) return failed(cancelledAfterAnswer(name), step)
    log.verdict(`Project ${name} was created`, true)
    return passed
  }
  if (outcome.kind === 'unclear') return failed(projectUnknown(name, outcome, secrets), step)
  const { failure } = outcome
  if (!(failure instanceof HttpError && saysProjectExists(failure, name))) {
    outputs.set({ created: 'false' })
    return failed(projectNotCreated(name, outcome, show), step)
  }
  outputs.set({ created: 'false', message: messageOutput(failure.words, show) })
  if (ifExists === 'fail') return failed(projectExists(name, failure, secrets), step)
  if (cancelled.aborted) return failed(cancelledAfterAnswer(name), step)
  log.verdict(`Project ${name} exists already (if-exists: skip)`, true)
  return passed
}

function failed(problem: Problem, { log, secrets }: Step): Verdict {
  const annotation = describeProblem(problem, secrets.show)
  log.verdict(annotation.title, false)
  return { kind: 'failed', annotation }
}

export function projectNotCreated(
  name: string,
  outcome: Exclude<NotAccepted, { kind: 'unclear' }>,
  show: Show,
): Problem {
  const heading = headingOf('project-not-created', { name })
  if (outcome.kind === 'not-sent' && outcome.byCancel) {
    const message = 'The step was cancelled before anything was created.'
    return { ...heading, message, hint: 'Re-run this job if you still need the project.' }
  }
  const { why, hint } = adviseOn(outcome.failure, 'create-project', show)
  return { ...heading, message: `${why} Nothing was created.`, hint }
}

/** The problem of a step that was cancelled while it waited for the answer of the service. */
function cancelledAfterAnswer(name: string): Problem {
  return {
    ...headingOf('cancelled', { subject: `Project ${name}` }),
    message: 'The project exists now, but the step was cancelled while it waited for the answer.',
    hint: 'Set if-exists: skip before you re-run this job.',
  }
}

export function projectUnknown(
  name: string,
  { failure, byCancel }: Extract<NotAccepted, { kind: 'unclear' }>,
  { words }: Pick<Secrets, 'words'>,
): Problem {
  const why = byCancel ? 'the step was cancelled' : words(messageOf(failure))
  return {
    ...headingOf('project-unknown', { name }),
    message: `The request got no clear answer (${why}).`,
    hint: afterUnclearAnswer(
      failure,
      "look for the project in the service's dashboard before you re-run this job, or set if-exists: skip.",
    ),
  }
}

export function projectExists(
  name: string,
  { words }: HttpError,
  secrets: Pick<Secrets, 'words'>,
): Problem {
  return {
    ...headingOf('project-exists', { name }),
    message: `The service answered: ${secrets.words(words)}`,
    hint: 'Choose another name. If the existing project is the right one, set if-exists: skip.',
  }
}
