/** Publishes one artifact. If this is impossible, reports why and what to do. */
import type { UploadOrder } from './storage/clients.ts'
import type { Storage } from './storage/step-storage.ts'
import { failureIn } from './storage/storage-failure.ts'
import { artifactPageOf, attemptOf } from './environment.ts'
import { describeFileProblem } from '../errors.ts'
import type { Step } from './step.ts'

export interface Artifact {
  name: string
  url: string
}

export type ArtifactOutput = `artifact-${'name' | 'id' | 'url' | 'digest'}`

/** Matches the characters that the artifact service refuses in names. */
const refusedCharacters = /["<>|*?:\r\n\\/\p{Cc}]/gu
// The maximum length, in characters. The service allows 260, but the runner adds characters.
const maxNameLength = 220

/**
 * Returns the given name. If no name is given, returns `<automation>-<id>`, followed by the attempt
 * above the first, with `-` instead of refused characters. `executionId` is `batch` for a batch.
 * Each part is redacted before the part is changed or cut.
 */
export function artifactNameFor(
  given: string | undefined,
  automation: string,
  executionId: string,
  { environment, secrets }: Pick<Step, 'environment' | 'secrets'>,
): string {
  const safe = (text: string) => secrets.show(text).replace(refusedCharacters, '-')
  if (given !== undefined) return safe(given)
  // A name can be used once in a workflow run, and a re-run may publish the same execution again.
  const attempt = attemptOf(environment)
  const again = attempt > 1 ? `-attempt-${attempt}` : ''
  // Only the automation's name is shortened, because the execution id makes the artifact name
  // unique. An execution id has at most 200 characters.
  const id = `-${safe(executionId)}${again}`
  const room = Math.max(0, maxNameLength - id.length)
  return `${safe(automation).slice(0, room)}${id}`.toWellFormed()
}

/**
 * Returns true if an artifact of this name may be from an earlier attempt, and must not be what the
 * next job downloads. A composed name contains the attempt.
 */
export function replacesEarlier(
  given: string | undefined,
  { environment }: Pick<Step, 'environment'>,
): boolean {
  return given !== undefined && attemptOf(environment) > 1
}

/**
 * Uploads an artifact, and reports the outcome in the log and the outputs. `gather` returns the
 * files to upload. These files are in `folder`. Returns undefined if there is no artifact. Never
 * rejects, because a missing artifact does not fail the step.
 */
export async function publishArtifact(
  gather: () => Promise<UploadOrder>,
  folder: string | undefined,
  storage: Pick<Storage, 'upload'>,
  { environment, log, outputs }: Step<ArtifactOutput>,
): Promise<Artifact | undefined> {
  try {
    const order = await gather()
    const { id, digest } = await storage.upload(order)
    const url = artifactPageOf(environment, id)
    outputs.set({
      'artifact-name': order.name,
      'artifact-id': String(id),
      'artifact-url': url,
      'artifact-digest': digest,
    })
    log.info(`Artifact ${order.name}: ${url}`)
    const maxDays = Number(environment['GITHUB_RETENTION_DAYS'])
    if (maxDays > 0 && Number(order.retentionDays) > maxDays) {
      log.info(`GitHub keeps it for ${maxDays} days, the maximum of this repository.`)
    }
    return { name: order.name, url }
  } catch (error) {
    outputs.set({
      'artifact-name': '',
      'artifact-id': '',
      'artifact-url': '',
      'artifact-digest': '',
    })
    const why = describeFileProblem(error)
    const kind = failureIn(error)?.kind
    const cure = kind === 'taken' ? ' Give each step its own artifact-name.' : ''
    const place = folder === undefined ? '' : ` The files are in ${folder}.`
    const note = kind === 'unsupported' ? 'artifact-unsupported' : 'artifact-failed'
    log.note(note, { why, rest: `${cure}${place}` })
    return undefined
  }
}
