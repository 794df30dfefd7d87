/** Makes the arguments with which actions call `src/execution`: requests, files, validation, time. */
import { Deadline } from '../clock.ts'
import type { Target, Validation } from '../execution/report.ts'
import type { FetchedResult } from '../execution/collect-run.ts'
import type { RunEnv, SharedEnv } from '../execution/follow-run.ts'
import type { WatchEnv } from '../execution/watch.ts'
import { wholeProblem } from '../execution/result-problems.ts'
import { noAnswerWithin } from '../messages/quantities.ts'
import { showProblems } from '../messages/describe-result-problems.ts'
import { maskLinks } from '../messages/text/secrets.ts'
import type { ResultSchema } from '../runner/result-schema/compiled-schema.ts'
import type { Step } from '../runner/step.ts'
import { makeEmptyFolder, removeFolder } from '../runner/files.ts'
import type { AutomationService, StartRequest } from '../service/client.ts'
import type { Connections } from './connections.ts'

/** Returns what checking the only run of a step needs. The links of each answer are masked. */
export function watchEnvOf(
  service: AutomationService,
  { clock, random, cancelled, secrets }: Step,
): WatchEnv {
  return {
    clock,
    random,
    cancelled,
    sendCheck: async (executionId, signal) => {
      const status = await service.executionStatus(executionId, signal)
      maskLinks(status, executionId, secrets)
      return status
    },
  }
}

/**
 * Returns what following the only run of a step needs, except its start. All executions of the run
 * use the same folder.
 */
export function followEnvOf(
  connections: Connections,
  schema: ResultSchema | undefined,
  publishing: { printResult: boolean },
  folder: string,
  step: Step,
): Omit<RunEnv, 'sendStart'> {
  return {
    ...watchEnvOf(connections.service, step),
    ...sharedEnvOf(connections, schema, publishing, step),
    makeFolder: () => makeEmptyFolder(folder),
  }
}

/** Returns what all runs of a step share. All validations end when `validationsEnd` aborts. */
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
    removeFolder,
    readCause: async (logFile) => {
      // Loaded with the code for the end of the step, so that the start does not wait for it.
      const { readCause } = await import('./file-ends.ts')
      return await readCause(logFile, secrets)
    },
    validate: schema && ((result) => validate(result, schema, publishing, step, validationsEnd)),
  }
}

async function validate(
  result: FetchedResult,
  schema: ResultSchema,
  { printResult }: { printResult: boolean },
  { secrets, cancelled }: Step,
  until?: AbortSignal,
): Promise<Validation> {
  const found =
    result.kind === 'file'
      ? await schema.validate(result.path, cancelled, until)
      : wholeProblem(notKept)
  if (!found) return { kind: 'passed' }
  if ('notValidated' in found) return { kind: 'not-made', why: found.notValidated }
  return { kind: 'invalid', problems: showProblems(found, secrets, printResult) }
}

const notKept = "the automation isn't set to keep it (change this in the service's dashboard)"

/** Returns the deadline of a step that waits for runs. Its signal also aborts on a cancellation. */
export function openDeadline(
  { timeout }: { timeout: number },
  { clock, cancelled }: Step,
): Deadline {
  return new Deadline(clock, timeout, cancelled, noAnswerWithin(timeout))
}

/** Logs the formats of a schema that are not checked, because a typo looks like a format. */
export function logUnknownFormats(schema: ResultSchema | undefined, { log }: Step): void {
  const names = schema?.unknownFormats ?? []
  if (names.length === 0) return
  log.info(`result-schema: formats that are unknown are not checked: ${names.join(', ')}`)
}

export function targetOf({ project, automation, webhook }: StartRequest): Target {
  return { project, automation, webhookGiven: webhook !== undefined }
}
