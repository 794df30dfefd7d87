import { describe, expect, it } from '@jest/globals'
import { openChat } from '../../scripts/test-workflows/chat.ts'
import { runExampleStep } from '../support/example-step.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'

const onUnix = process.platform === 'win32' ? describe.skip : describe
onUnix('a message about a failed run', () => {
  it.each([
    ['a cause', 'ValueError: "no rows"', 'ValueError: "no rows"'],
    ['a cause that mentions people', '<!channel> $(id)', '&lt;!channel> $(id)'],
    ['no cause', '', ''],
  ])('has %s', async (_, cause, shown) => {
    await using chat = await openChat()
    await using workspace = await makeTemporaryFolder()
    const job = 'https://github.com/o/r/actions/runs/1/job/2'
    const { exitCode } = await runExampleStep({
      file: 'chat-on-failure.yml',
      name: 'Post why it failed',
      env: { CHAT_WEBHOOK_URL: chat.url, CAUSE: cause, JOB: job },
      folder: workspace.path,
    })
    expect({ exitCode, texts: chat.texts }).toEqual({
      exitCode: 0,
      texts: [`Report failed: ${shown} <${job}|job>`],
    })
  })
})
