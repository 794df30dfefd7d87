/** The start of a run, at most once, and what to say when it did not clearly happen. */
import type { Deadline } from '../clock.ts'
import { ActionError, messageOf } from '../errors.ts'
import type { AutomationService } from '../service/client.ts'
import type { StartAnswer } from '../service/contract.ts'
import type { StartRequest } from '../service/requests.ts'
import { deliverOnce, type Delivery } from '../service/resend.ts'
import { describeElapsed } from '../github/elapsed.ts'
import { describeFailure } from '../github/annotation.ts'
import type { Step, Verdict } from '../github/step.ts'
import { adviseOn } from './advice.ts'

export async function startRun(
  request: StartRequest,
  service: AutomationService,
  deadline: Deadline,
  { log, clock, random }: Step,
): Promise<Delivery<StartAnswer>> {
  log.title('Start')
  log.info(`Automation ${request.automation} of project ${request.project}, ${extrasOf(request)}`)
  const delivery = await deliverOnce((signal) => service.startAutomation(request, signal), {
    clock,
    signal: deadline.signal,
    random,
    onPause: (failure, pause) =>
      log.info(`Not accepted (${messageOf(failure)}); trying again in ${describeElapsed(pause)}`),
  })
  if (delivery.kind === 'accepted') {
    const { executionId, message } = delivery.value
    log.info(`Started as execution ${executionId}${message ? ` ("${message}")` : ''}`)
  }
  return delivery
}

/** The service did not take the start: nothing runs. */
export function notStarted(
  { automation }: StartRequest,
  failure: unknown,
  { cancelled }: Step,
): ActionError {
  const title = `${automation} was not started`
  if (cancelled.aborted) {
    const hint = 'Run this job again when you want it to run.'
    return new ActionError('The step was cancelled before anything was started.', { title, hint })
  }
  const { why, hint } = adviseOn(failure, 'start')
  return new ActionError(`${title}: ${why}`, { title, hint, cause: failure })
}

/** The service may or may not have taken the start: it is not sent again. */
export function unclearStart(
  { automation }: StartRequest,
  failure: unknown,
  { cancelled }: Step,
): Verdict {
  const why = cancelled.aborted ? 'no answer had come yet' : messageOf(failure)
  const ambiguous = { kind: 'ambiguous-start', why, cancelled: cancelled.aborted } as const
  const annotation = describeFailure({ failure: ambiguous, automation })
  return { kind: 'failed', annotation }
}

/** What was given, without a value of it. */
function extrasOf({ seed, webhook, webhookHeaders }: StartRequest): string {
  const headers = Object.keys(webhookHeaders ?? {}).length
  const seedSize = seed === undefined ? 'no seed' : `a seed of ${Buffer.byteLength(seed)} bytes`
  const webhookGiven = webhook === undefined ? 'its default webhook' : 'a webhook'
  return `${seedSize}, ${webhookGiven}${headers ? ` with ${headers} header(s)` : ''}`
}
