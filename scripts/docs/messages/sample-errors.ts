/** The annotation of each error that a step can fail with, made by the sources. */
import {
  projectExists,
  projectNotCreated,
  projectUnknown,
} from '../../../src/actions/create-project.ts'
import { unusableProxy } from '../../../src/actions/connect.ts'
import { InputError, openInputs } from '../../../src/runner/inputs/declaration.ts'
import { describeBug, describeProblem, type Annotation } from '../../../src/messages/annotation.ts'
import { describeFailure } from '../../../src/messages/failure-annotation.ts'
import type { RunTitle, TitleName } from '../../../src/messages/catalogue.ts'
import type { Failure } from '../../../src/messages/failure.ts'
import { cutShort, failWithoutOutputs, passed } from '../../../src/runner/step.ts'
import { readActionFiles } from '../action-files.ts'
import { runInputs } from '../../../src/runner/inputs/read.ts'
import type { OutputProblem } from '../../../src/runner/outputs.ts'
import { ProxyProblem } from '../../../src/service/proxy.ts'
import { batchSamples, type BatchTitle } from './sample-batches.ts'
import { answered, cut, execution, failureSamples, full, secrets } from './sample-failures.ts'

type Samples<Name extends TitleName> = Record<Name, Annotation>

export async function errorSamples(): Promise<Samples<TitleName>> {
  return {
    ...ofRuns(),
    ...batchSamples(),
    ...ofProjects(),
    ...(await ofSteps()),
  }
}

const artifactUrl = 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242'
const causes = {
  error: { text: 'ValueError: no rows', file: 'jobs/report.py', line: 42 },
  'container-error': { text: 'loading 48 models', isLastLine: true as const },
}

/** What goes on, or is not known, has left no log yet. */
const withoutLog = new Set<RunTitle>([
  'timed-out',
  'not-over-yet',
  'cancelled',
  'credentials-refused',
  'checks-refused',
  'not-found',
])

function ofRuns(): Samples<RunTitle> {
  const asItIs = (text: string) => text
  const annotate = (failure: Failure) => {
    const { title } = failure
    if (title === 'not-started' || title === 'unknown-start') {
      return describeFailure(failure, { automation: execution.automation }, {}, asItIs)
    }
    const cause = title === 'error' || title === 'container-error' ? causes[title] : undefined
    const place = withoutLog.has(title) ? {} : { artifactUrl }
    return describeFailure(failure, { ...execution, cause }, place, asItIs)
  }
  const samples = failureSamples().map((failure) => [failure.title, annotate(failure)])
  return Object.fromEntries(samples) as Samples<RunTitle>
}

type ProjectTitle = Extract<TitleName, `project-${string}`>

function ofProjects(): Samples<ProjectTitle> {
  const step = { secrets, cancelled: new AbortController().signal }
  const refused = answered(400, 'The selected region is not supported')
  const taken = answered(400, 'Project with this name already exists')
  return {
    'project-not-created': describeProblem(projectNotCreated('reports', refused, step)),
    'project-unknown': describeProblem(projectUnknown('reports', cut, step)),
    'project-exists': describeProblem(projectExists('reports', taken, step)),
  }
}

type StepTitle = Exclude<TitleName, RunTitle | BatchTitle | ProjectTitle>

async function ofSteps(): Promise<Samples<StepTitle>> {
  const { executionId } = execution
  const wrong = { 'api-token': '', project: '', 'webhook-headers': 'X-Token' }
  return {
    'input-wrong': describeProblem(await inputError({ seed: '{"a": 1]' })),
    'inputs-wrong': describeProblem(await inputError(wrong)),
    'proxy-unusable': describeProblem(unusableProxy(new ProxyProblem(unusable))),
    'no-outputs': withoutOutputs({ name: 'message', why: full, executionId }),
    'cut-short': describeProblem(cutShort()),
    bug: describeBug(new TypeError("Cannot read properties of undefined (reading 'x')")),
  }
}

const unusable =
  'the environment variable https_proxy names no usable proxy: it is not an address such as http://proxy.example:3128'

function withoutOutputs(problem: OutputProblem): Annotation {
  const verdict = failWithoutOutputs(passed, problem)
  if (verdict.kind === 'passed') throw new Error('outputs are missing, and the step passes')
  return verdict.annotation
}

/** What a step has to be given, and what GitHub makes of an expression in action.yml. */
const properInputs = {
  'base-url': 'https://automations.example.com',
  'api-token': 'token-7f3a',
  'api-key': 'key-91bc',
  project: 'reports',
  automation: 'word-report',
  matrix: 'null',
}

/** What is wrong with the inputs of a `run` step, of which these are given otherwise. */
async function inputError(given: Record<string, string>): Promise<InputError> {
  const { run } = await readActionFiles()
  const defaults = Object.entries(run.inputs).map(([name, input]): [string, string] => [
    name,
    input.default ?? '',
  ])
  const all: Record<string, string> = { ...Object.fromEntries(defaults), ...properInputs, ...given }
  const environment = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  const error = await openInputs(runInputs, environment)
    .parse()
    .catch((problem: unknown) => problem)
  if (error instanceof InputError) return error
  throw new Error('these inputs are right, or something else is wrong', { cause: error })
}
