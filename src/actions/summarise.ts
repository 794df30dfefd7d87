/** The job summary: added to the page of the workflow run, and kept as a file to post elsewhere. */
import path from 'node:path'
import type { ExecutionReport } from '../execution/execution-report.ts'
import type { Failure } from '../messages/failure.ts'
import { describeFileProblem } from '../messages/file-problem.ts'
import { showProblems } from '../messages/result-problems.ts'
import { describeAttempts } from '../messages/retries.ts'
import { renderSummary } from '../messages/summary/render.ts'
import type { RunInputs } from '../runner/inputs/read.ts'
import type { Step } from '../runner/step.ts'
import { writeSummary } from '../runner/outputs.ts'
import { writeWhole } from '../runner/whole-file.ts'
import { workflowRunOf } from '../runner/workflow-run.ts'
import { makeStepFolder } from '../runner/workspace.ts'
import type { Published } from './publish.ts'

interface SummaryContext {
  failure: Failure | undefined
  remainder: readonly string[] | undefined
  publishing: Pick<RunInputs['publishing'], 'printResult' | 'summary'>
}

/** What goes wrong with it is a warning: it changes no verdict. */
export async function summarise(
  report: ExecutionReport,
  published: Published | undefined,
  { failure, remainder, publishing: { printResult, summary } }: SummaryContext,
  step: Step,
): Promise<void> {
  const { environment, secrets } = step
  const { artifact, logTail, result } = published ?? {}
  const { resultProblems } = report
  const parts = {
    failure,
    remainder,
    attemptsLine: describeAttempts(report, { secrets }),
    artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
    log: logTail,
    problems: resultProblems && showProblems(resultProblems, secrets, printResult),
    result: result && (printResult ? result : { ...result, text: undefined }),
  }
  const { url: runUrl } = workflowRunOf(environment)
  const texts = {
    onPage: summary ? renderSummary(report, parts, secrets.show) : undefined,
    inFile: renderSummary(report, { ...parts, runUrl }, secrets.show),
  }
  await publishSummary(texts, report.files?.folder, step)
}

/** `onPage`: absent where it is not wanted on the page of the workflow run. */
export async function publishSummary(
  { onPage, inFile }: { onPage: string | undefined; inFile: string },
  filesFolder: string | undefined,
  step: Step,
): Promise<void> {
  if (onPage !== undefined) {
    const problem = writeSummary(onPage, step.environment['GITHUB_STEP_SUMMARY'])
    if (problem) step.log.note('summary-not-written', { why: problem })
  }
  await keepSummary(inFile, filesFolder, step)
}

/** Also where the job summary is switched off: who does that may want it in another place. */
async function keepSummary(
  text: string,
  filesFolder: string | undefined,
  { environment, outputs, log }: Step,
): Promise<void> {
  try {
    const folder = filesFolder ?? (await makeStepFolder(environment))
    const file = path.join(folder, 'summary.md')
    await writeWhole(file, [text])
    outputs.set('summary-file', file)
  } catch (error) {
    log.note('summary-file-not-written', { why: describeFileProblem(error) })
    outputs.set('summary-file', '')
  }
}
