/** `uses: owner/run-automation/create-project`: creates a project, at most once. */
import { Deadline } from '../clock.ts'
import { describeProblem } from '../messages/annotation.ts'
import { messageOutput, showTexts } from '../messages/text/shown-texts.ts'
import type { CreateProjectInputs } from '../runner/inputs/read.ts'
import { passed, type Step, type Verdict } from '../runner/step.ts'
import { HttpError } from '../service/errors.ts'
import { saysProjectExists } from '../service/existing-project.ts'
import { sendTimeout, sendAtMostOnce } from '../service/send-at-most-once.ts'
import { introduce, type Connect } from './connect.ts'
import { tellRetry } from './progress.ts'
import {
  projectExists,
  projectNotCreated,
  projectUnknown,
  type Problem,
} from './project-problems.ts'

export async function createProject(
  { connection, project, ifExists }: CreateProjectInputs,
  step: Step,
  connect: Connect,
): Promise<Verdict> {
  const { name, region, dockerVersion } = project
  const { clock, random, cancelled, log, outputs } = step
  introduce(connection, step)
  const { service } = connect('create-project', connection)
  using deadline = new Deadline(clock, sendTimeout, cancelled)
  log.title('Create project')
  log.info(`Project ${name} in region ${region} with runtime image ${dockerVersion}`)

  const { signal } = deadline
  const outcome = await sendAtMostOnce((signal) => service.createProject(project, signal), {
    clock,
    signal,
    random,
    onPause: tellRetry(step),
  })
  if (outcome.kind === 'accepted') {
    outputs.set('created', 'true')
    outputs.set('message', messageOutput(outcome.value.message, step))
    log.verdict(`Project ${name} was created`, true)
    return passed
  }
  const { failure } = outcome
  if (outcome.kind === 'unknown') return failed(projectUnknown(name, failure, step), step)
  outputs.set('created', 'false')
  if (!(failure instanceof HttpError && saysProjectExists(failure, name))) {
    return failed(projectNotCreated(name, failure, step), step)
  }
  outputs.set('message', messageOutput(failure.words, step))
  if (ifExists === 'fail') return failed(projectExists(name, failure, step), step)
  log.verdict(`Project ${name} exists already (if-exists: skip)`, true)
  return passed
}

function failed(problem: Problem, { log, secrets }: Step): Verdict {
  const annotation = describeProblem(showTexts(problem, secrets.show))
  log.verdict(annotation.title, false)
  return { kind: 'failed', annotation }
}
