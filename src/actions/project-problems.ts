/** What to say of a project that was not, or not clearly, created. */
import { messageOf } from '../errors.ts'
import { adviseOn, afterUnclearAnswer } from '../messages/advice.ts'
import { headingOf, type Heading } from '../messages/catalogue.ts'
import type { Step } from '../runner/step.ts'
import { type HttpError, ServiceError } from '../service/errors.ts'

/** The parts of an annotation. */
export interface Problem extends Heading {
  message: string
  hint: string
}

type Facts = Pick<Step, 'cancelled' | 'secrets'>

export function projectNotCreated(name: string, failure: unknown, step: Facts): Problem {
  const heading = headingOf('project-not-created', { name })
  if (step.cancelled.aborted) {
    const message = 'The step was cancelled before anything was created.'
    return { ...heading, message, hint: 'Re-run this job when you want it created.' }
  }
  const { why, hint } = adviseOn(failure, 'create-project', step)
  return { ...heading, message: `${why} Nothing was created.`, hint }
}

export function projectUnknown(
  name: string,
  failure: unknown,
  { cancelled, secrets }: Facts,
): Problem {
  const words = secrets.words(messageOf(failure))
  const why = cancelled.aborted ? 'the step was cancelled meanwhile' : words
  return {
    ...headingOf('project-unknown', { name }),
    message: `The request was sent once and got no clear answer (${why}).`,
    hint: afterUnclearAnswer(
      failure instanceof ServiceError && failure.isWebPage,
      "look for it in the service's dashboard before you run this again, or use if-exists: skip.",
    ),
  }
}

export function projectExists(name: string, { words }: HttpError, { secrets }: Facts): Problem {
  return {
    ...headingOf('project-exists', { name }),
    message: `The service answered: ${secrets.words(words)}`,
    hint: 'Choose another name, or set if-exists: skip where an existing project will do.',
  }
}
