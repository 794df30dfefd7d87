// `npm run pictures`: draws the README's two pictures from real runs against the sandbox.
import path from 'node:path'
import { runStep } from '../sandbox/runner/runner.ts'
import { repositoryRoot } from '../sandbox/service/automation-process.ts'
import { openSandbox, type Sandbox } from '../sandbox/service/sandbox.ts'
import { openBrowser } from './pictures/browser.ts'
import { logPage, summaryPage } from './pictures/pages.ts'

/** A name of the kind that people give, and the automation of the sandbox behind it. */
const automations = { visitors: 'chart-series', daily_report: 'broken-report' }

await using browser = await openBrowser(process.env)
await using sandbox = await openSandbox({
  projects: { sales: Object.keys(automations) },
  aliases: automations,
})
await using success = await runAutomation(
  { automation: 'visitors', seed: '{ "days": 7 }' },
  sandbox,
)
await using failure = await runAutomation({ automation: 'daily_report' }, sandbox)

// The path that a reader's runner has, and not the one of the machine that drew the picture.
const log = success.log.replaceAll(success.temp, '/home/runner/work/_temp')
await browser.draw(logPage(log), path.join(repositoryRoot, 'docs', 'log-success.png'))
const summaryFile = path.join(repositoryRoot, 'docs', 'summary-failure.png')
await browser.draw(await summaryPage(failure.summary), summaryFile)

function runAutomation(inputs: Record<string, string>, { baseUrl, apiToken, apiKey }: Sandbox) {
  const connection = { 'base-url': baseUrl, 'api-token': apiToken, 'api-key': apiKey }
  const all = { ...connection, project: 'sales', 'poll-interval': '1s', ...inputs }
  return runStep({ action: '.', inputs: all })
}
