import type { Sandbox } from '../../../sandbox/service/sandbox.ts'

/** Starts a run without an action, waits for its end, and returns its id. */
export async function finishRun(sandbox: Sandbox, automation = 'text-note'): Promise<string> {
  const { baseUrl, apiToken, apiKey, executions } = sandbox
  await fetch(`${baseUrl}/api/start-automation/demo/${automation}`, {
    method: 'POST',
    headers: {
      authorization: `Token ${apiToken}`,
      'x-api-key': apiKey,
      'content-type': 'application/json',
    },
    body: '{}',
  })
  const execution = executions.at(-1)
  await execution?.ended
  sandbox.requests.length = 0
  return execution?.id ?? ''
}
