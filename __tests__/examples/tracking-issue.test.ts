import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

/**
 * A stand-in for GitHub's CLI. It records each call, and lists the issues in the variable OPEN. It has no
 * permission to list them if OPEN is empty.
 */
const gh = `#!/usr/bin/env bash
echo "$1 $2 \${*:3}" >> calls.txt
[ "$1 $2" = 'issue list' ] || exit 0
[ "$OPEN" ] || { echo 'HTTP 403: Resource not accessible by integration' >&2; exit 1; }
for last; do :; done
printf '%s' "$OPEN" | jq --raw-output "$last"
`

async function runStep(
  name: string,
  open: { number: number; title: string }[] | undefined,
  cause = '',
) {
  await using folder = await makeTemporaryFolder()
  const bin = path.join(folder.path, 'bin')
  await mkdir(bin)
  await writeFile(path.join(bin, 'gh'), gh)
  await chmod(path.join(bin, 'gh'), 0o755)
  const { exitCode } = await runExampleStep({
    file: 'tracking-issue.yml',
    name,
    folder: folder.path,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      GH_TOKEN: 'token',
      GH_REPO: 'o/r',
      TITLE: 'Nightly report is broken',
      CONCLUSION: 'error',
      CAUSE: cause,
      JOB: 'https://github.com/o/r/actions/runs/1/job/2',
      OPEN: open === undefined ? '' : JSON.stringify(open),
    },
  })
  const calls = (await readFile(path.join(folder.path, 'calls.txt'), 'utf8')).trim().split('\n')
  const body = await readFile(path.join(folder.path, 'body.md'), 'utf8').catch(() => '')
  return { exitCode, calls: calls.filter((call) => !call.startsWith('issue list')), body }
}

const ours = { number: 7, title: 'Nightly report is broken' }
const another = { number: 8, title: 'Something else' }

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('the issue of a broken schedule', () => {
  it('gets a comment from the next failure, with the cause as code', async () => {
    const { calls, body } = await runStep('Open or update the issue', [another, ours], 'a `b`')
    expect(calls).toEqual(['issue comment 7 --body-file body.md'])
    expect(body).toBe(
      'It ended as **error**: https://github.com/o/r/actions/runs/1/job/2\n\n    a `b`\n',
    )
  })

  it('is closed by a success, without other issues', async () => {
    const { exitCode, calls } = await runStep('Close the issue', [another, ours])
    expect([exitCode, calls.map((call) => call.split(' --')[0])]).toEqual([0, ['issue close 7']])
  })

  it.each(['Open or update the issue', 'Close the issue'])(
    'is not hidden by a missing permission: %s',
    async (name) => {
      const { exitCode, calls } = await runStep(name, undefined)
      expect(exitCode).not.toBe(0)
      expect(calls).toEqual([])
    },
  )

  it('may be missing, and then a success does nothing', async () => {
    const { exitCode, calls } = await runStep('Close the issue', [another])
    expect([exitCode, calls]).toEqual([0, []])
  })
})
