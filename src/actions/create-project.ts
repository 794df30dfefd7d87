/** Implements the action `create-project`. It creates a project at most once. */
import { describeProblem, type Problem, showProblem } from '../messages/annotation.ts'
import { messageOutput } from '../messages/text/shown-texts.ts'
import type { CreateProjectInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { HttpError } from '../service/errors.ts'
import { saysProjectExists } from '../service/names.ts'
import { isEndedByCancellation, sendAtMostOnce } from '../service/send-at-most-once.ts'
import { logServiceAddress, type Connect } from './connect.ts'
import { reportStartRetry } from './progress.ts'
import { messageOf } from '../errors.ts'
import { adviseOn, afterUnclearAnswer } from '../messages/advice.ts'
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
    onPause: reportStartRetry(step),
  })
  if (outcome.kind === 'accepted') {
    outputs.set('created', 'true')
    outputs.set('message', messageOutput(outcome.value.message, show))
    log.verdict(`Project ${name} was created`, true)
    return passed
  }
  const { failure } = outcome
  if (outcome.kind === 'unknown') return failed(projectUnknown(name, failure, step), step)
  outputs.set('created', 'false')
  if (!(failure instanceof HttpError && saysProjectExists(failure, name))) {
    return failed(projectNotCreated(name, failure, step), step)
  }
  outputs.set('message', messageOutput(failure.words, show))
  if (ifExists === 'fail') return failed(projectExists(name, failure, step), step)
  log.verdict(`Project ${name} exists already (if-exists: skip)`, true)
  return passed
}

function failed(problem: Problem, { log, secrets }: Step): Verdict {
  const annotation = describeProblem(showProblem(problem, secrets.show))
  log.verdict(annotation.title, false)
  return { kind: 'failed', annotation }
}

type Facts = Pick<Step, 'cancelled' | 'secrets'>

export function projectNotCreated(name: string, failure: unknown, step: Facts): Problem {
  const heading = headingOf('project-not-created', { name })
  if (isEndedByCancellation(failure, step.cancelled)) {
    const message = 'The step was cancelled before anything was created.'
    return { ...heading, message, hint: 'Re-run this job if you still need the project.' }
  }
  const { why, hint } = adviseOn(failure, 'create-project', step.secrets.show)
  return { ...heading, message: `${why} Nothing was created.`, hint }
}

export function projectUnknown(
  name: string,
  failure: unknown,
  { cancelled, secrets }: Facts,
): Problem {
  const words = secrets.words(messageOf(failure))
  const why = isEndedByCancellation(failure, cancelled) ? 'the step was cancelled' : words
  return {
    ...headingOf('project-unknown', { name }),
    message: `The request got no clear answer (${why}).`,
    hint: afterUnclearAnswer(
      failure,
      "look for the project in the service's dashboard before you re-run this job, or set if-exists: skip.",
    ),
  }
}

export function projectExists(name: string, { words }: HttpError, { secrets }: Facts): Problem {
  return {
    ...headingOf('project-exists', { name }),
    message: `The service answered: ${secrets.words(words)}`,
    hint: 'Choose another name. If the existing project is the right one, set if-exists: skip.',
  }
}
