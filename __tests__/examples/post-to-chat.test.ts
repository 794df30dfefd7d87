import { expect, it } from '@jest/globals'
import { openChat } from './harness/chat.ts'
import { describeSteps, runStep } from './harness/workflow.ts'

/** Posts a result, or none if undefined. Returns what the chat received and what the step did. */
async function post(result: string | Buffer | undefined, conclusion = 'success', cause = '') {
  await using chat = await openChat()
  const env = {
    CHAT_WEBHOOK_URL: chat.url,
    CONCLUSION: conclusion,
    CAUSE: cause,
    RESULT_FILE: result === undefined ? '' : 'result.txt',
    JOB: 'https://github.com/o/r/actions/runs/1/job/2',
  }
  const files = { ...(result !== undefined && { 'result.txt': result }) }
  const step = await runStep('post-to-chat.yml', 'Post it', { files, env })
  return { ...step, texts: chat.texts, files: Object.keys(step.files) }
}

const messageOf = (code: string) =>
  `Report: success (<https://github.com/o/r/actions/runs/1/job/2|job>)\n\`\`\`\n${code}\n\`\`\``

describeSteps('a result in the chat', () => {
  it.each([
    ['quotes', `it's "quoted" \\ \\n`, `it's "quoted" \\ \\n`],
    ['line breaks', 'one\ntwo\r\n\n', 'one\ntwo\r\n\n'],
    ['shell commands', '$(touch forged) $HOME; exit 1', '$(touch forged) $HOME; exit 1'],
    ['backticks', '`touch forged` ``` text', `'touch forged' ''' text`],
    ['mentions of people', '<!channel> & <@U1>', '&lt;!channel&gt; &amp; &lt;@U1&gt;'],
    ['workflow commands', '::error::forged', '::error::forged'],
    ['jq programs', '\\(env.CHAT_WEBHOOK_URL) | env', '\\(env.CHAT_WEBHOOK_URL) | env'],
    ['control characters', 'a\0b\u001b[31m', 'a\0b\u001b[31m'],
    ['bytes that are no text', Buffer.from([0x61, 0xff, 0x62]), 'a\ufffdb'],
  ])('keeps %s', async (_, result, shown) => {
    const { exitCode, texts, files, printed } = await post(result)
    expect({ exitCode, texts, printed }).toEqual({
      exitCode: 0,
      texts: [messageOf(shown)],
      printed: 'ok',
    })
    expect(files.toSorted()).toEqual(['message.json', 'result.txt'])
  })

  it('is cut if it is long, also within a character', async () => {
    const { texts } = await post(`${'x'.repeat(1999)}é and more`)
    expect(texts).toEqual([messageOf(`${'x'.repeat(1999)}\ufffd`)])
  })

  it('is replaced by the cause if there is no result, and mentions nobody', async () => {
    const { exitCode, texts } = await post(undefined, 'error', 'ValueError: `<!channel>`')
    expect(exitCode).toBe(0)
    expect(texts).toEqual([
      "Report: error (<https://github.com/o/r/actions/runs/1/job/2|job>)\nValueError: '&lt;!channel&gt;'",
    ])
  })
})
