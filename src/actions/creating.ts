/** The creation of a project, at most once, and what its ends mean. */
import type { Deadline } from '../clock.ts'
import { ActionError, messageOf } from '../errors.ts'
import type { AutomationService } from '../service/client.ts'
import { HttpError } from '../service/errors.ts'
import type { CreateProjectRequest } from '../service/requests.ts'
import { sendAtMostOnce, type SendOutcome } from '../service/send-at-most-once.ts'
import { describeElapsed } from '../messages/elapsed.ts'
import type { Step } from '../runner/step.ts'
import { adviseOn } from '../messages/advice.ts'
import { saysItExists } from '../service/existing-project.ts'

export type Creation =
  | { kind: 'created'; message: string }
  /** The account has a project of that name already. */
  | { kind: 'existing'; failure: HttpError }
  | { kind: 'refused'; failure: unknown }
  | { kind: 'unknown'; failure: unknown }

export async function deliverProject(
  request: CreateProjectRequest,
  service: AutomationService,
  deadline: Deadline,
  { log, clock, random, secrets }: Step,
): Promise<Creation> {
  log.title('Create project')
  const { name, region, dockerVersion } = request
  log.info(`Project ${name} in region ${region} with runtime image ${dockerVersion}`)
  const delivery = await sendAtMostOnce((signal) => service.createProject(request, signal), {
    clock,
    signal: deadline.signal,
    random,
    onPause: (failure, pause) =>
      log.info(
        `Not accepted (${secrets.words(messageOf(failure))}); trying again in ${describeElapsed(pause)}`,
      ),
  })
  return creationOf(delivery, name)
}

function creationOf(delivery: SendOutcome<{ message: string }>, name: string): Creation {
  if (delivery.kind === 'accepted') return { kind: 'created', message: delivery.value.message }
  const { failure } = delivery
  if (failure instanceof HttpError && saysItExists(failure, name))
    return { kind: 'existing', failure }
  return { kind: delivery.kind, failure }
}

export function notCreated(
  { name }: CreateProjectRequest,
  failure: unknown,
  step: Step,
): ActionError {
  const title = `Project ${name} was not created`
  if (step.cancelled.aborted) {
    const hint = 'Run this job again when you want it created.'
    return new ActionError('The step was cancelled before anything was created.', { title, hint })
  }
  const { why, hint } = adviseOn(failure, 'create-project', step)
  return new ActionError(`${why} Nothing was created.`, { title, hint, cause: failure })
}

export function unknownCreation(
  { name }: CreateProjectRequest,
  failure: unknown,
  { cancelled, secrets }: Step,
): ActionError {
  const words = secrets.words(messageOf(failure))
  const why = cancelled.aborted ? 'the step was cancelled meanwhile' : words
  return new ActionError(`The request was sent once and got no clear answer (${why}).`, {
    title: `Project ${name} may or may not have been created`,
    hint: "Look for it in the service's dashboard before you run this again, or use if-exists: skip.",
    cause: failure,
  })
}

export function alreadyExists(
  { name }: CreateProjectRequest,
  { words }: HttpError,
  { secrets }: Step,
): ActionError {
  return new ActionError(`The service answered: ${secrets.words(words)}`, {
    title: `Project ${name} exists already`,
    hint: 'Choose another name, or set if-exists: skip where an existing project will do.',
  })
}
