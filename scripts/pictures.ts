// `npm run pictures`: the README's pictures, made from real runs against the sandbox. The two that
// the README shows go to docs/; all of them, at two widths, light and dark, to reports/pictures/.
import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { repositoryRoot } from '../sandbox/service/automation-process.ts'
import { openBrowser } from './pictures/browser.ts'
import { logPage } from './pictures/log-page.ts'
import { themes } from './pictures/page.ts'
import { performRuns } from './pictures/runs.ts'
import { summaryPage } from './pictures/summary-page.ts'

/** CSS pixels: a column of GitHub's on a desk, and a telephone. */
const widths = [760, 420]
const shown = ['summary-failure', 'log-success']

const gallery = path.join(repositoryRoot, 'reports', 'pictures')
const docs = path.join(repositoryRoot, 'docs')
await mkdir(gallery, { recursive: true })
await mkdir(docs, { recursive: true })

await using browser = await openBrowser(process.env)
for (const { name, summary, log } of await performRuns()) {
  for (const theme of themes) {
    for (const width of widths) {
      const suffix = `${theme}-${String(width)}.png`
      const sheet = { theme, width }
      const summaryFile = path.join(gallery, `summary-${name}-${suffix}`)
      const logFile = path.join(gallery, `log-${name}-${suffix}`)
      await browser.draw(await summaryPage(summary, sheet), width, summaryFile)
      await browser.draw(logPage(log, sheet), width, logFile)
    }
  }
}
for (const name of shown) {
  const from = path.join(gallery, `${name}-light-${String(widths[0])}.png`)
  await copyFile(from, path.join(docs, `${name}.png`))
}
console.log(`All pictures are in ${gallery}, the README's in ${docs}`)
