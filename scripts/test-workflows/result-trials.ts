/** Workflows that make a seed of what GitHub knows, and take the result elsewhere. */
import type { Sandbox } from '../../sandbox/service/sandbox.ts'
import { git } from './checkout.ts'
import { checkThat } from './evidence.ts'
import type { Setup } from './setup.ts'
import type { Chain } from './trial.ts'
import type { CheckResult } from './check-jobs.ts'

export const resultChains: Chain[] = [
  { trials: [{ file: 'examples/result-as-matrix.yml', event: 'workflow_dispatch', artifacts: 1 }] },
  { trials: [{ file: 'examples/compare-row-count.yml', event: 'schedule', artifacts: 1 }] },
  {
    trials: [
      {
        file: 'examples/report-in-browser.yml',
        event: 'workflow_dispatch',
        artifacts: 1,
        check: (setup) => keptUnzipped(setup),
      },
    ],
  },
  {
    trials: [
      {
        file: 'examples/fetch.yml',
        event: 'workflow_dispatch',
        artifacts: 1,
        given: async ({ sandbox }) => {
          const executionId = await startIn(sandbox, 'chart-series')
          return { inputs: { 'execution-id': executionId, timeout: '1m' } }
        },
      },
    ],
  },
  {
    trials: [
      {
        file: 'examples/matrix.yml',
        event: 'push',
        artifacts: 3,
        check: (setup) => merged(setup),
      },
    ],
  },
  {
    trials: [
      {
        file: 'examples/post-to-chat.yml',
        event: 'schedule',
        artifacts: 1,
        check: (setup) => posted(setup),
      },
    ],
    // The report's result is then made of what chats, shells and workflow commands could obey.
    sandbox: { aliases: { 'word-report': 'hostile-log' } },
  },
  {
    trials: [
      {
        file: 'examples/seed-from-changes.yml',
        event: 'push',
        artifacts: 1,
        // As for a branch's first push.
        given: () => ({ payload: { before: '0'.repeat(40) } }),
        check: (setup) => seeded(setup),
      },
    ],
  },
  {
    trials: [
      {
        file: 'examples/look-once.yml',
        event: 'push',
        artifacts: 0,
        skipped: ['Use the result'],
        given: ({ sandbox }) => {
          sandbox.script('next', [{}])
        },
      },
      {
        file: 'examples/look-once.yml',
        event: 'push',
        artifacts: 1,
        skipped: ['Go on without it'],
        given: ({ sandbox }) => {
          sandbox.script('next', [{ finished: true }])
        },
      },
    ],
  },
]

async function keptUnzipped({ github }: Setup): Promise<CheckResult> {
  const upload = (await github.calls()).findLast((call) => call.kind === 'uses')
  const isRight = upload?.kind === 'uses' && upload.inputs['archive'] === 'false'
  return checkThat(isRight, 'the picture was uploaded as it is')
}

async function startIn(sandbox: Sandbox, automation: string): Promise<string> {
  const { baseUrl, apiToken, apiKey } = sandbox
  const response = await fetch(`${baseUrl}/api/start-automation/demo/${automation}`, {
    method: 'POST',
    headers: {
      authorization: `Token ${apiToken}`,
      'x-api-key': apiKey,
      'content-type': 'application/json',
    },
    body: '{}',
  })
  const { execution_id: executionId } = (await response.json()) as { execution_id: string }
  return executionId
}

async function merged({ github }: Setup): Promise<CheckResult> {
  const upload = (await github.calls()).findLast((call) => call.kind === 'uses')
  const list = upload?.kind === 'uses' ? upload.content.replaceAll(/\s/g, '') : 'nothing'
  const expected = '[{"region":"north"},{"region":"south"},{"region":"west"}]'
  return checkThat(list === expected, `merged: ${list}`)
}

function posted({ github: { chat } }: Setup): CheckResult {
  const [text = ''] = chat.texts
  const [about = '', result = '', ...rest] = text.split('```')
  const isWhole = about.startsWith('Report: success (<') && result.includes('$(touch forged)')
  const isInert = rest.join() === '' && !result.includes('<') && chat.texts.length === 1
  return checkThat(
    isWhole && isInert,
    `the chat took ${chat.texts.length} message: ${about.trim()}`,
  )
}

function seeded({ sandbox, checkout }: Setup): CheckResult {
  const start = sandbox.requests.find(({ kind }) => kind === 'start')
  const files = git(checkout.folder, 'ls-files', 'docs').split('\n').filter(Boolean)
  const seeds = JSON.stringify(JSON.parse(start?.body ?? 'null'))
  const isRight = seeds === JSON.stringify({ seed: { files } })
  return checkThat(isRight, `the service got a seed that names ${files.length} files: ${seeds}`)
}
