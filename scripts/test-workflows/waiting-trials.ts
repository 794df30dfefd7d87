/** Workflows of which one finishes what another has started, in an order that does so. */
import { repository } from './checkout.ts'
import {
  deliveryOf,
  dispatchIn,
  headOf,
  lastLook,
  lookAsked,
  statusesOf,
  together,
  until,
} from './evidence.ts'
import type { Chain } from './trial.ts'

const startingRun = '4711'

export const webhookChain: Chain = {
  trials: [
    {
      file: 'examples/webhook-start.yml',
      event: 'push',
      artifacts: 0,
      runId: startingRun,
      check: async (setup) => {
        // The receiver answers the service once it has sent the dispatch.
        await until(() => setup.sandbox.deliveries.length > 0, 'the service delivered nothing')
        return together(statusesOf(setup, 'automation/report', ['pending']), deliveryOf(setup))
      },
    },
    {
      file: 'examples/webhook-finish.yml',
      event: 'repository_dispatch',
      artifacts: 1,
      given: (setup) => ({ payload: dispatchIn(setup) }),
      check: (setup) => statusesOf(setup, 'automation/report', ['pending', 'success']),
    },
    {
      file: 'examples/look-at-pending.yml',
      event: 'schedule',
      artifacts: 1,
      given: async (setup) => {
        await setup.github.answer(pendingAnswers(headOf(setup)))
      },
      check: (setup) => statusesOf(setup, 'automation/report', ['pending', 'success', 'success']),
    },
  ],
}

export const lookChain: Chain = {
  trials: [
    {
      file: 'examples/start-then-look.yml',
      event: 'push',
      artifacts: 0,
      given: ({ sandbox }) => {
        // It goes on at the first look, and is over at the second.
        sandbox.script('next', [{}, { finished: true }])
      },
      check: (setup) => lookAsked(setup, '1'),
    },
    {
      file: 'examples/look-again.yml',
      event: 'workflow_dispatch',
      artifacts: 0,
      given: lastLook,
      check: async (setup) =>
        together(
          await lookAsked(setup, '2'),
          statusesOf(setup, 'automation/count', ['pending', 'pending']),
        ),
    },
    {
      file: 'examples/look-again.yml',
      event: 'workflow_dispatch',
      artifacts: 1,
      skipped: ['Look again later'],
      given: lastLook,
      check: (setup) => statusesOf(setup, 'automation/count', ['pending', 'pending', 'success']),
    },
  ],
}

/** One run is pending; one is over, one is a fork's, and the artifact of one has expired. */
function pendingAnswers(commit: string): Record<string, unknown> {
  const place = `api repos/${repository}`
  const other = (letter: string) => letter.repeat(40)
  const artifact = (id: number, head_sha: string, of = 1, expired = false) => ({
    expired,
    workflow_run: { id, head_sha, repository_id: 1, head_repository_id: of },
  })
  const statuses = (state: string) => ({ statuses: [{ context: 'automation/report', state }] })
  return {
    [`${place}/actions/artifacts?name=pending-execution&per_page=100`]: {
      artifacts: [
        artifact(Number(startingRun), commit),
        artifact(4712, other('a')),
        artifact(4713, other('b'), 2),
        artifact(4714, other('c'), 1, true),
      ],
    },
    [`${place}/commits/${commit}/status?per_page=100`]: statuses('pending'),
    [`${place}/commits/${other('a')}/status?per_page=100`]: statuses('success'),
  }
}
