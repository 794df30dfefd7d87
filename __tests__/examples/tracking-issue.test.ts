import path from 'node:path'
import { expect, it } from '@jest/globals'
import { openStandIns } from './harness/stand-ins.ts'
import { describeSteps, runStep } from './harness/workflow.ts'

/** Runs a step. `open`: the open issues. Undefined if the step may not list them. */
async function run(name: string, open?: { number: number; title: string }[], cause = '') {
  await using gh = await openStandIns()
  if (open) await gh.answer({ 'issue list': open })
  const env = {
    ...gh.env,
    PATH: [gh.bin, process.env['PATH']].join(path.delimiter),
    GH_TOKEN: 'token',
    GH_REPO: 'o/r',
    TITLE: 'Nightly report is broken',
    CONCLUSION: 'error',
    CAUSE: cause,
    JOB: 'https://github.com/o/r/actions/runs/1/job/2',
  }
  const { exitCode, files } = await runStep('tracking-issue.yml', name, { env })
  const calls = (await gh.calls()).map(({ command }) => command)
  return { exitCode, calls, body: String(files['body.md']) }
}

const ours = { number: 7, title: 'Nightly report is broken' }
const another = { number: 8, title: 'Something else' }

describeSteps('the issue of a broken schedule', () => {
  it('gets a comment from the next failure, with the cause as code', async () => {
    const { calls, body } = await run('Open or update the issue', [another, ours], 'a `b`')
    expect(calls).toEqual(['issue list', 'issue comment 7'])
    expect(body).toBe(
      'It ended as **error**: https://github.com/o/r/actions/runs/1/job/2\n\n    a `b`\n',
    )
  })

  it('is closed by a success, without other issues', async () => {
    const { exitCode, calls } = await run('Close the issue', [another, ours])
    expect([exitCode, calls]).toEqual([0, ['issue list', 'issue close 7']])
  })

  it.each(['Open or update the issue', 'Close the issue'])(
    'is not hidden by a missing permission: %s',
    async (name) => {
      const { exitCode, calls } = await run(name)
      expect(exitCode).not.toBe(0)
      expect(calls).toEqual(['issue list'])
    },
  )

  it('may be missing, and then a success does nothing', async () => {
    const { exitCode, calls } = await run('Close the issue', [another])
    expect([exitCode, calls]).toEqual([0, ['issue list']])
  })
})
