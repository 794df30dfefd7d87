/** One artifact, or the reason why there is none and what to do about it. */
import type { UploadOrder } from './storage/artifact-client.ts'
import type { Storage } from './storage/step-storage.ts'
import { artifactPageOf } from './workflow-run.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import type { Step } from './step.ts'

/** One that was uploaded. */
export interface Artifact {
  name: string
  /** Its page. */
  url: string
}

/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refusedCharacters = /["<>|*?:\r\n\\/\p{Cc}]/gu
// The service's own limit is 260; the rest of the room is the runner's.
const maxNameLength = 220

/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
export function artifactNameFor(
  given: string | undefined,
  automation: string,
  executionId: string,
): string {
  if (given !== undefined) return given
  // The id distinguishes artifacts, so the automation's name is what is cut. An id has at most 200
  // characters ("Start response", as the contract reads it).
  const id = `-${executionId}`.replace(refusedCharacters, '-')
  const room = Math.max(0, maxNameLength - id.length)
  return `${automation.replace(refusedCharacters, '-').slice(0, room)}${id}`.toWellFormed()
}

/**
 * Uploads an artifact, and says in log and outputs what became of it; undefined where there is none.
 * Never rejects: an artifact changes no verdict. `gather` writes and lists the files; `folder` is
 * where they are.
 */
export async function publishArtifact(
  gather: () => Promise<UploadOrder>,
  folder: string | undefined,
  storage: Pick<Storage, 'upload'>,
  { environment, log, outputs, secrets }: Step,
): Promise<Artifact | undefined> {
  const setOutputs = (name: string, id: string, url: string, digest: string) => {
    outputs.set('artifact-name', name)
    outputs.set('artifact-id', id)
    outputs.set('artifact-url', url)
    outputs.set('artifact-digest', digest)
  }
  const report = await upload(gather, storage)
  if (report.kind === 'uploaded') {
    const { name, id, digest } = report
    const url = artifactPageOf(environment, id)
    setOutputs(name, String(id), url, digest)
    log.info(`Artifact ${name}: ${url}`)
    return { name, url }
  }
  setOutputs('', '', '', '')
  const rest = folder === undefined ? '' : ` The files are in ${folder}.`
  log.note(`artifact-${report.kind}`, { why: secrets.words(report.why), rest })
  return undefined
}

async function upload(gather: () => Promise<UploadOrder>, storage: Pick<Storage, 'upload'>) {
  try {
    const order = await gather()
    return { ...(await storage.upload(order)), name: order.name }
  } catch (error) {
    return { kind: 'failed', why: describeFileProblem(error) } as const
  }
}
