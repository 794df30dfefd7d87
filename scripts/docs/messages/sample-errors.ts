/** Makes the annotations of errors that are not failures of a run or a batch. */
import {
  projectExists,
  projectNotCreated,
  projectUnknown,
} from '../../../src/actions/create-project.ts'
import { unusableProxy } from '../../../src/actions/connections.ts'
import { readInputs } from '../../../src/runner/inputs/inputs.ts'
import {
  ActionError,
  CutShort,
  describeBug,
  type Notice,
  notWritable,
} from '../../../src/messages/notice.ts'
import { failWithoutOutputs, passed } from '../../../src/runner/step.ts'
import { readRunInputs } from '../../../src/runner/inputs/read-inputs.ts'
import type { OutputProblem } from '../../../src/runner/outputs.ts'
import { ProxyProblem } from '../../../src/service/proxy.ts'
import { answered, cut, executionId, full } from './sample-failures.ts'

export async function errorSamples(): Promise<Notice[]> {
  const refused = answered(400, 'The selected region is not supported')
  const taken = answered(400, 'Project with this name already exists')
  const problems = [
    projectNotCreated('reports', { kind: 'refused', failure: refused }),
    projectUnknown('reports', { kind: 'unclear', failure: cut, byCancel: false }),
    projectExists('reports', taken),
    await inputError({ seed: '{"a": 1]' }),
    unusableProxy(new ProxyProblem(unusable)),
    notWritable(outputFile, Object.assign(new Error('no'), { code: 'EACCES' }), 1001),
    new CutShort(true, [executionId]),
    describeBug(new TypeError("Cannot read properties of undefined (reading 'x')")),
  ]
  return [
    ...problems.map((problem) => (problem instanceof ActionError ? problem.notice : problem)),
    withoutOutputs({ output: 'message', why: full, executionId }),
  ]
}

const outputFile =
  "the runner's file for outputs (GITHUB_OUTPUT) /__w/_temp/_runner_file_commands/set_output_1"

const unusable =
  'the environment variable https_proxy does not name a usable proxy: it is not an address such as http://proxy.example:3128'

function withoutOutputs(problem: OutputProblem): Notice {
  const verdict = failWithoutOutputs(passed, problem)
  if (verdict.kind === 'passed') throw new Error('the step passes without its outputs')
  return verdict.notice
}

/** Valid inputs of a `run` step. */
const properInputs = {
  'base-url': 'https://automations.example.com',
  'api-token': 'token-7f3a',
  'api-key': 'key-91bc',
  project: 'reports',
  automation: 'word-report',
}

/** Returns the error of a `run` step with these inputs. */
async function inputError(given: Record<string, string>): Promise<ActionError> {
  const all = { ...properInputs, ...given }
  const environment = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  )
  const error = await readInputs(readRunInputs, environment, '').catch(
    (problem: unknown) => problem,
  )
  if (error instanceof ActionError) return error
  throw new Error('expected a problem with these inputs', { cause: error })
}
