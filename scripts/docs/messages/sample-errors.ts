/** An annotation, or several, for each error that a step can fail with, made by the sources. */
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
import { runInputs } from '../../../src/runner/inputs/read.ts'
import type { OutputProblem } from '../../../src/runner/outputs.ts'
import { ProxyProblem } from '../../../src/service/proxy.ts'
import { reportAt } from '../../../src/version.ts'
import { properInputs, wrongInputs } from './sample-inputs.ts'
import { batchSamples, type BatchTitle } from './sample-batches.ts'
import {
  answered,
  execution,
  failureSamples,
  refusals,
  secrets,
  unclear,
} from './sample-failures.ts'

type Samples<Name extends TitleName> = Record<Name, readonly Annotation[]>

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

function ofRuns(): Samples<RunTitle> {
  const takenOver = failureSamples(true)
  const samples = Array.from(failureSamples(false), ([title, failures]) => [
    title,
    failures.flatMap((failure, index) => annotationsOf(failure, takenOver.get(title)?.[index])),
  ])
  return Object.fromEntries(samples) as Samples<RunTitle>
}

/** With the cause from the log, where there may be one, and without. */
function annotationsOf(failure: Failure, onRecord: Failure | undefined): Annotation[] {
  const { title } = failure
  const asItIs = (text: string) => text
  const place = { artifactUrl }
  if (title === 'not-started' || title === 'unknown-start') {
    return [describeFailure(failure, { automation: execution.automation }, {}, asItIs)]
  }
  const plain = describeFailure(failure, execution, place, asItIs)
  if (title === 'error' || title === 'container-error') {
    const cause = causes[title]
    return [describeFailure(failure, { ...execution, cause }, place, asItIs), plain]
  }
  if (!onRecord || onRecord.next === failure.next) return [plain]
  return [plain, describeFailure(onRecord, execution, place, asItIs)]
}

type ProjectTitle = Extract<TitleName, `project-${string}`>

function ofProjects(): Samples<ProjectTitle> {
  const step = { secrets, cancelled: new AbortController().signal }
  const taken = answered(400, 'Project with this name already exists')
  const failures = [
    answered(400, 'The selected region is not supported'),
    answered(403, 'Your plan allows no more projects'),
    ...refusals,
  ]
  return {
    'project-not-created': failures.map((failure) =>
      describeProblem(projectNotCreated('reports', failure, step)),
    ),
    'project-unknown': unclear.map((failure) =>
      describeProblem(projectUnknown('reports', failure, step)),
    ),
    'project-exists': [describeProblem(projectExists('reports', taken, step))],
  }
}

type StepTitle = Exclude<TitleName, RunTitle | BatchTitle | ProjectTitle>

async function ofSteps(): Promise<Samples<StepTitle>> {
  const full = 'no space left on disk (ENOSPC)'
  return {
    'input-wrong': await Promise.all(
      wrongInputs.map(async (given) => describeProblem(await inputError(given))),
    ),
    'inputs-wrong': [
      describeProblem(
        await inputError({ 'api-token': '', project: '', 'webhook-headers': 'X-Token' }),
      ),
    ],
    'proxy-unusable': unusableProxies.map((what) =>
      describeProblem(unusableProxy(new ProxyProblem(what))),
    ),
    'no-outputs': [
      withoutOutputs({ name: 'message', why: full, executionId: execution.executionId }),
      withoutOutputs({ name: 'created', why: full, executionId: undefined }),
    ],
    'cut-short': [describeProblem(cutShort())],
    bug: [
      describeBug(new TypeError("Cannot read properties of undefined (reading 'x')"), reportAt),
    ],
  }
}

const unusableProxies = [
  'it is not an address such as http://proxy.example:3128',
  'its scheme is socks5://, and only http:// and https:// are understood',
  'a % in its user or password must be written as %25',
].map((what) => `the environment variable https_proxy names no usable proxy: ${what}`)

function withoutOutputs(problem: OutputProblem): Annotation {
  const verdict = failWithoutOutputs(passed, problem)
  if (verdict.kind === 'passed') throw new Error('outputs are missing, and the step passes')
  return verdict.annotation
}

/** What is wrong with the inputs of a `run` step, of which these are given otherwise. */
async function inputError(given: Record<string, string>): Promise<InputError> {
  const all = { ...properInputs, ...given }
  const environment = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  const error = await openInputs(runInputs, environment)
    .parse()
    .catch((problem: unknown) => problem)
  if (error instanceof InputError) return error
  throw new Error('these inputs are right, or something else is wrong', { cause: error })
}
