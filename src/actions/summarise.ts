/** Writes the job summary to the page of the workflow run, and to a separate file. */
import path from 'node:path'
import { conclusionOf, type RunReport } from '../execution/report.ts'
import type { KeptFile } from '../download/download.ts'
import { readBeginning } from '../download/file-text.ts'
import { describeFileProblem } from '../errors.ts'
import { Page } from '../messages/summary/html.ts'
import type { ExecutionUrlOf } from '../messages/execution-url.ts'
import { formOf, readRows } from '../messages/summary/read-rows.ts'
import { isResultShown, type ResultHead } from '../messages/summary/result.ts'
import { maxBeginning, maxWhole } from '../messages/summary/rows.ts'
import type { Secrets } from '../messages/text/secrets.ts'
import { renderSummary, type SummaryParts } from '../messages/summary/render.ts'
import type { RunJudgement } from '../messages/judge.ts'
import type { RunInputs } from '../runner/inputs/action-inputs.ts'
import type { Step } from '../runner/step.ts'
import { writeSummary } from '../runner/outputs.ts'
import { makeStepFolder, writeWhole } from '../runner/files.ts'
import { workflowRunOf } from '../runner/environment.ts'
import { readResultHead } from './file-ends.ts'
import type { Published } from './publish-files.ts'

/** Writes the job summary of a run. A problem causes a warning and does not fail the step. */
export async function summarise(
  report: RunReport,
  judged: RunJudgement,
  { artifact, logTail, result }: Partial<Published>,
  {
    executionUrlOf,
    inputs,
  }: { executionUrlOf: ExecutionUrlOf; inputs: Pick<RunInputs, 'publishing'> },
  step: Step<'summary-file'>,
): Promise<void> {
  const { printResult, summary } = inputs.publishing
  const files = report.end.kind === 'collected' ? report.end.files : undefined
  const file = printResult && isResultShown(conclusionOf(report.end)) ? files?.result : undefined
  const shown = file?.kind === 'file' ? await readShownResult(file, step.secrets) : result
  const parts: SummaryParts = {
    judged,
    executionUrlOf,
    artifact,
    log: logTail,
    result: shown && (printResult ? shown : { ...shown, text: undefined }),
  }
  const text = renderSummary(report, parts, new Page(step.secrets.show))
  await publishSummary(text, summary, files?.folder, step)
}

// How much of a result that has no rows is read for the summary, in bytes.
const maxShownText = 256 * 1024

/** Returns what the job summary shows of a result: its rows, or else the beginning of its text. */
export async function readShownResult(
  { path: file, mediaType, size }: KeptFile,
  secrets: Pick<Secrets, 'showBeginning'>,
): Promise<ResultHead> {
  const name = path.basename(file)
  const form = formOf(mediaType, name)
  const limit = size > maxWhole ? maxBeginning : maxWhole
  const { text, complete } = await readBeginning(file, form ? limit : 0)
  const rows = form && text ? await readRows(text, form, complete) : undefined
  return { ...(await readResultHead(file, maxShownText, secrets)), name, mediaType, rows }
}

/** Writes the summary to a file and, if `isWanted` is true, to the page of the workflow run. */
export async function publishSummary(
  text: string,
  isWanted: boolean,
  filesFolder: string | undefined,
  { environment, outputs, log, secrets }: Step<'summary-file'>,
): Promise<void> {
  if (isWanted) {
    const problem = writeSummary(text, environment['GITHUB_STEP_SUMMARY'])
    if (problem) log.note('summary-not-written', { why: problem })
  }
  // The file is always written, because people may post the text elsewhere.
  try {
    const folder = filesFolder ?? (await makeStepFolder(environment))
    const file = path.join(folder, 'summary.md')
    await writeWhole(file, [
      text,
      new Page(secrets.show).linkToWorkflowRun(workflowRunOf(environment).url),
    ])
    outputs.set({ 'summary-file': file })
  } catch (error) {
    log.note('summary-file-not-written', { why: describeFileProblem(error) })
    outputs.set({ 'summary-file': '' })
  }
}
