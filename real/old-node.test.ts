/** Runners that start the action with the Node on their PATH may have an old one. */
import { expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import path from 'node:path'

const oldNode = fileURLToPath(new URL('node_modules/node/bin/node', import.meta.url))
const { BUNDLES_UNDER_TEST: bundles = '' } = process.env

it.each(['run', 'start', 'wait', 'batch', 'create-project'])(
  '%s on Node 20 writes one annotation, and nothing else',
  (name) => {
    const env = { 'INPUT_API-TOKEN': 'token-7f3a' }
    const step = spawnSync(oldNode, [path.join(bundles, name, 'index.js')], { env })
    expect([step.status, step.stderr.toString()]).toEqual([1, ''])
    expect(step.stdout.toString()).toBe(
      '::error title=Node 24 is needed::' +
        'This action needs Node 24. This runner started it with Node 20.20.2.%0A' +
        'Next: Update the runner to 2.327.1 or later. With act and other runners, put Node 24 first on PATH.\n',
    )
  },
)
