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
import type { TitleName } from '../../../src/messages/catalogue.ts'
import type { FailureKind } from '../../../src/messages/failure.ts'
import { cutShort, failWithoutOutputs, passed } from '../../../src/runner/step.ts'
import { runInputs } from '../../../src/runner/inputs/read.ts'
import type { OutputProblem } from '../../../src/runner/outputs.ts'
import { ProxyProblem } from '../../../src/service/proxy.ts'
import { reportAt } from '../../../src/version.ts'
import { properInputs, wrongInputs } from './sample-inputs.ts'
import { batchSamples, type BatchTitle } from './sample-batches.ts'
import { answered, failureSamples, refusals, secrets, unclear } from './sample-failures.ts'

type Samples<Name extends TitleName> = Record<Name, readonly Annotation[]>

export async function errorSamples(): Promise<Samples<TitleName>> {
  const runs = ofRuns()
  const notOver = runs['timed-out'].filter(({ title }) => title.endsWith('is not over yet'))
  const timedOut = runs['timed-out'].filter((each) => !notOver.includes(each))
  return {
    ...runs,
    'timed-out': timedOut,
    'not-over-yet': notOver,
    ...batchSamples(),
    ...ofProjects(),
    ...(await ofSteps()),
  }
}

const execution = { automation: 'word-report', executionId: '3fa85f64-5717', duration: 130_000 }
const artifactUrl = 'https://github.com/owner/repo/actions/runs/4200/artifacts/4242'
const unwatched = new Set<FailureKind['kind']>(['not-started', 'unknown-start'])
const causes = {
  error: { text: 'ValueError: no rows', file: 'jobs/report.py', line: 42 },
  'container-error': { text: 'loading 48 models', isLastLine: true as const },
}

function ofRuns(): Samples<FailureKind['kind']> {
  const samples = Object.entries(failureSamples).map(([kind, failures]) => [
    kind,
    failures.flatMap((failure: FailureKind) => annotationsOf(failure)),
  ])
  return Object.fromEntries(samples) as Samples<FailureKind['kind']>
}

/** With the cause from the log, where there may be one, and without. */
function annotationsOf(failure: FailureKind): Annotation[] {
  const { kind } = failure
  const asItIs = (text: string) => text
  if (unwatched.has(kind)) {
    return [describeFailure(failure, { automation: execution.automation }, {}, asItIs)]
  }
  const place = { artifactUrl }
  const plain = describeFailure(failure, execution, place, asItIs)
  if (kind !== 'error' && kind !== 'container-error') {
    const again = describeFailure(failure, execution, { ...place, isTakenOver: true }, asItIs)
    return again.message === plain.message ? [plain] : [plain, again]
  }
  return [describeFailure(failure, { ...execution, cause: causes[kind] }, place, asItIs), plain]
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

type StepTitle = Exclude<
  TitleName,
  FailureKind['kind'] | 'not-over-yet' | BatchTitle | ProjectTitle
>

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
