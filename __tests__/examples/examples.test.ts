import { globSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import { chains } from './trials.ts'

/**
 * act 0.2.87 refuses these files. Also in the other files, act cannot run these cases:
 * - "Re-run failed jobs", because act runs all jobs again
 * - a job output with a masked value (batch-failed-again.yml, result-as-matrix.yml), because act drops none
 * - an environment's timer (wait-timer.yml, check-again.yml), because act starts such a job at once
 * - a step that is cancelled, because act sends no SIGINT
 * - the number of a job in a link, because act has no `job.check_run_id`
 */
const refused = ['background-step.yml']

/** The other tests here run single steps, with cases that no trial has. */
it('each example is run by `npm run test:workflows`, except those that act refuses', () => {
  const examples = globSync('*.yml', { cwd: path.join(root, 'examples') })
  const tried = new Set(chains.flat().map(({ file }) => path.basename(file)))
  expect(examples.filter((file) => !tried.has(file))).toEqual(refused)
})
