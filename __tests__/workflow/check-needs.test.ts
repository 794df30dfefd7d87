import { spawnSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const script = fileURLToPath(new URL('../../.ci/check-needs', import.meta.url))
const all = ['node', 'npm', 'git', 'go', 'jq', 'openssl', 'python3', 'tinyproxy']

/** Runs the check on a machine that has only these programs. */
async function checkWith(programs: string[]) {
  await using machine = await makeTemporaryFolder()
  for (const program of programs) await symlink('/usr/bin/true', path.join(machine.path, program))
  const { status, stderr } = spawnSync('/bin/bash', [script], {
    env: { PATH: machine.path },
    encoding: 'utf8',
  })
  return {
    status,
    missing: [...stderr.matchAll(/^missing: (\S+) \(.+\)$/gm)].map(([, name]) => name),
  }
}

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('what .ci/run needs', () => {
  it('is there', async () => {
    expect(await checkWith(all)).toEqual({ status: 0, missing: [] })
  })

  it('is named if it is missing, all at once', async () => {
    expect(await checkWith([])).toEqual({ status: 1, missing: all })
  })

  it.each(all)('is named if it is missing: %s', async (program) => {
    const others = all.filter((one) => one !== program)

    expect(await checkWith(others)).toEqual({ status: 1, missing: [program] })
  })
})
