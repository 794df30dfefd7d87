/**
 * Collects what the code in `src/execution` needs from a step, for example the service, the clock
 * and the validation of results.
 */
import { Deadline } from '../clock.ts'
import type { Target } from '../execution/report.ts'
import type { RunEnv, SharedEnv, Start, Validate } from '../execution/run.ts'
import type { WatchEnv } from '../execution/watch.ts'
import { wholeProblem } from '../execution/result-problems.ts'
import { noAnswerWithin } from '../messages/quantities.ts'
import { showProblems } from '../messages/result-problems.ts'
import { maskLinks } from '../messages/text/secrets.ts'
import type { ResultSchema } from '../runner/result-schema/compiled-schema.ts'
import type { Step } from '../runner/step.ts'
import { makeStepFolder, removeStepFolder } from '../runner/files.ts'
import type { AutomationService, StartRequest } from '../service/client.ts'
import type { Connections } from './connect.ts'
import { readCause } from './file-ends.ts'

/** Returns what following one run needs. `start` sends the start request. */
export function runEnvOf(
  connections: Connections,
  start: Start,
  schema: ResultSchema | undefined,
  publishing: { printResult: boolean },
  step: Step,
): RunEnv {
  const { service } = connections
  return {
    ...sharedEnvOf(connections, schema, publishing, step),
    start,
    check: checkWith(service, step),
    makeFolder: () => makeStepFolder(step.environment),
  }
}

/** Returns the function that checks an execution, and masks the links of each answer. */
export function checkWith(service: AutomationService, { secrets }: Step): WatchEnv['check'] {
  return async (executionId, signal) => {
    const status = await service.executionStatus(executionId, signal)
    maskLinks(status, secrets)
    return status
  }
}

/** Returns the time limit of a step that waits for runs. */
export function openDeadline(
  { timeout }: { timeout: number },
  { clock, cancelled }: Step,
): Deadline {
  return new Deadline(clock, timeout, cancelled, noAnswerWithin(timeout))
}

/** All validations end when the signal `validationsEnd` aborts. */
export function sharedEnvOf(
  { store }: Connections,
  schema: ResultSchema | undefined,
  publishing: { printResult: boolean },
  step: Step,
  validationsEnd?: AbortSignal,
): SharedEnv {
  const { clock, random, cancelled, secrets } = step
  return {
    store,
    clock,
    random,
    cancelled,
    removeFolder: removeStepFolder,
    readCause: (logFile) => readCause(logFile, secrets),
    validate: schema && validatingWith(schema, publishing, step, validationsEnd),
  }
}

/** Logs the formats of a schema that are not checked, because a typo looks like a format. */
export function logUnknownFormats(schema: ResultSchema | undefined, { log }: Step): void {
  const names = schema?.unknownFormats ?? []
  if (names.length === 0) return
  log.info(`result-schema: formats that are unknown are not checked: ${names.join(', ')}`)
}

/**
 * Returns the function that validates a result. A result that could not be fetched is not validated,
 * because it fails the step anyway.
 */
function validatingWith(
  schema: ResultSchema,
  { printResult }: { printResult: boolean },
  { secrets, cancelled }: Step,
  until?: AbortSignal,
): Validate {
  return async ({ result }) => {
    if (result.kind === 'unavailable') return { kind: 'none' }
    const found =
      result.kind === 'file'
        ? await schema.validate(result.path, cancelled, until)
        : wholeProblem(notKept)
    if (!found) return { kind: 'valid' }
    if ('notValidated' in found) return { kind: 'not-made', why: found.notValidated }
    return { kind: 'invalid', problems: showProblems(found, secrets, printResult) }
  }
}

const notKept = "the automation isn't set to keep it (change this in the service's dashboard)"

export function targetOf({ project, automation, webhook }: StartRequest): Target {
  return { project, automation, webhookGiven: webhook !== undefined }
}
