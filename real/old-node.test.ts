/** Tests runners that start the action with an old Node from their PATH. */
import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import path from 'node:path'
import { troubleshootingPage } from '../src/version.ts'

const { BUNDLES_UNDER_TEST: bundles = '' } = process.env
const actions = ['run', 'start', 'wait', 'batch', 'create-project']

describe.each([
  ['20.20.2', 'node'],
  ['18.20.8', 'node-18'],
])('Node %s', (version, folder) => {
  const oldNode = fileURLToPath(new URL(`node_modules/${folder}/bin/node`, import.meta.url))

  it.each(actions)('%s writes one annotation, and nothing else', (name) => {
    const env = { 'INPUT_API-TOKEN': 'token-7f3a' }
    const step = spawnSync(oldNode, [path.join(bundles, 'actions', `${name}.js`)], { env })
    expect([step.status, step.stderr.toString()]).toEqual([1, ''])
    expect(step.stdout.toString()).toBe(
      '::error title=Node 24 is needed::' +
        `This action needs Node 24. This runner started it with Node ${version}.%0A` +
        'Next: Update the runner to 2.329.0 or later. With act and other runners, put Node 24 first on PATH.%0A' +
        `Help: ${troubleshootingPage}#node-24-is-needed\n`,
    )
  })
})
