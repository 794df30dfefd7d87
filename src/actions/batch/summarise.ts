/** The job summary of a batch. */
import path from 'node:path'
import type { BatchReport } from '../../execution/batch/batch.ts'
import type { BatchFailure } from '../../messages/batch/lost-files.ts'
import type { BatchSurvey } from '../../messages/batch/survey.ts'
import type { BatchEnd } from '../../messages/batch/verdict.ts'
import { renderBatchSummary } from '../../messages/summary/batch.ts'
import { readResultHeads } from '../../messages/summary/batch-results.ts'
import type { ArtifactOutcome } from '../../runner/artifact/publish-artifact.ts'
import type { BatchInputs } from '../../runner/inputs/read-batch.ts'
import type { Step } from '../../runner/step.ts'
import { workflowRunOf } from '../../runner/workflow-run.ts'
import { publishSummary } from '../summarise.ts'
import type { RunFolders } from './run-folders.ts'

interface Told extends BatchEnd {
  failure: BatchFailure | undefined
  artifact: ArtifactOutcome | undefined
}

/** What goes wrong with it is a warning: it changes no verdict. */
export async function summariseBatch(
  { startedOn, duration }: BatchReport,
  survey: BatchSurvey,
  { failure, artifact, ...end }: Told,
  { inputs: { publishing }, folders }: { inputs: BatchInputs; folders: RunFolders },
  step: Step,
): Promise<void> {
  const { environment, secrets, cancelled } = step
  const showsResults = publishing.printResult && !cancelled.aborted
  const batch = {
    ...end,
    startedOn,
    duration,
    failed: failure !== undefined,
    lost: failure?.isOfFiles ? failure.annotation : undefined,
    artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
    runUrl: workflowRunOf(environment).url,
    results: showsResults ? await readResultHeads(survey.results, folders.folder) : [],
  }
  const text = renderBatchSummary(batch, survey, secrets.show)
  // Beside the runs' folders: it is no part of what they left.
  await publishSummary(
    { onPage: publishing.summary ? text : undefined, inFile: text },
    path.dirname(folders.folder),
    step,
  )
}
