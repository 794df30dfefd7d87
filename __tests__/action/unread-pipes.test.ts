import { execFileSync } from 'node:child_process'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

/** Makes a pipe that nothing reads. Opening the pipe for writing blocks forever. */
async function makePipe() {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'pipe-'))
  const file = path.join(folder.path, 'pipe')
  execFileSync('mkfifo', [file])
  return { file, [Symbol.asyncDispose]: () => folder.remove() }
}

const onPosix = process.platform === 'win32' ? describe.skip : describe

onPosix('a step does not wait for a pipe that nothing reads', () => {
  it('as the file for the summary: only the summary is lost', async () => {
    await using sandbox = await openSandbox()
    await using pipe = await makePipe()
    await using step = await runAction({ sandbox, env: { GITHUB_STEP_SUMMARY: pipe.file } })
    expect([step.exitCode, step.outputs['conclusion']]).toEqual([0, 'success'])
    expect(annotationsOf(step, 'warning')[0]?.message).toBe(
      "The job summary was not written: the runner's file for it (GITHUB_STEP_SUMMARY) cannot be written: no such device or address (ENXIO)",
    )
  })

  it('as the file for outputs: the run is followed, and the step fails with its id', async () => {
    await using sandbox = await openSandbox()
    await using pipe = await makePipe()
    await using step = await runAction({ sandbox, env: { GITHUB_OUTPUT: pipe.file } })
    expect(step.exitCode).toBe(1)
    expect(theError(step).message).toContain('no such device or address')
    expect(theError(step).message).toContain(`execution-id ${sandbox.executions[0]?.id ?? '?'}`)
  })
})
