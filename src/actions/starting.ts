/** The start of a run, at most once, and what to say when it did not clearly happen. */
import type { Deadline } from '../clock.ts'
import { messageOf } from '../errors.ts'
import type { AutomationService } from '../service/client.ts'
import type { StartAnswer } from '../service/contract.ts'
import type { StartRequest } from '../service/requests.ts'
import { sendAtMostOnce, type SendOutcome } from '../service/send-at-most-once.ts'
import { describeCount } from '../messages/count.ts'
import { describeElapsed } from '../messages/elapsed.ts'
import type { Step } from '../runner/step.ts'
import { describeSize } from '../messages/size.ts'

export async function startRun(
  request: StartRequest,
  service: AutomationService,
  deadline: Deadline,
  { log, clock, random, secrets }: Step,
): Promise<SendOutcome<StartAnswer>> {
  log.title('Start')
  log.info(`Automation ${request.automation} of project ${request.project}, ${extrasOf(request)}`)
  const delivery = await sendAtMostOnce((signal) => service.startAutomation(request, signal), {
    clock,
    signal: deadline.signal,
    random,
    onPause: (failure, pause) =>
      log.info(
        `Not accepted (${secrets.words(messageOf(failure))}); trying again in ${describeElapsed(pause)}`,
      ),
  })
  if (delivery.kind === 'accepted') {
    const { executionId, message } = delivery.value
    log.info(
      `Started as execution ${executionId}${message ? ` ("${secrets.words(message)}")` : ''}`,
    )
  }
  return delivery
}

/** What was given, without a value of it. */
function extrasOf({ seed, webhook, webhookHeaders }: StartRequest): string {
  const headers = Object.keys(webhookHeaders ?? {}).length
  const seedSize =
    seed === undefined ? 'no seed' : `a seed of ${describeSize(Buffer.byteLength(seed))}`
  const webhookGiven = webhook === undefined ? 'its default webhook' : 'a webhook'
  return `${seedSize}, ${webhookGiven}${headers ? ` with ${describeCount(headers, 'header')}` : ''}`
}
