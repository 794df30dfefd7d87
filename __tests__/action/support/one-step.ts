import { compileCache } from '../../../sandbox/compile-cache.ts'
import { startStep, type RunningStep } from '../../../sandbox/runner/runner.ts'
import { makeAction } from '../../sandbox-runner/fixture-action.ts'

const step = new URL('../../../src/runner/step.ts', import.meta.url).href

/** Starts a step with this function body. The body can use `step` and must return a verdict. */
export async function startBody(
  body: string,
  env: Record<string, string> = {},
): Promise<RunningStep> {
  const action = await makeAction(`
    import { performStep } from ${JSON.stringify(step)}
    const read = async () => ({})
    const act = async (_inputs, step) => {${body}}
    const outputsAfter = () => ({ conclusion: 'unknown' })
    await performStep({ read, act, outputsAfter })`)
  const running = startStep({
    action: action.path,
    inputs: {},
    artifactService: 'none',
    env: { ...compileCache, ...env },
  })
  const remove = () => action[Symbol.asyncDispose]()
  void running.result.then(remove, remove)
  return running
}
