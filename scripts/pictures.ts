// `npm run pictures` draws the pictures of README.md and docs from steps that run against the sandbox.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import makeBundlesUnderTest from './build/fresh-bundles.mjs'
import { openBrowser } from './pictures/browser.ts'
import { logPage, summaryPage } from './pictures/pages.ts'
import { hashFile, readHashes, runPictures } from './pictures/sources.ts'

await using browser = await openBrowser(process.env)
await makeBundlesUnderTest({ nonFlagArgs: [] })
for await (const { name, part, title, text, maxHeight } of runPictures()) {
  for (const theme of ['light', 'dark'] as const) {
    const page =
      part === 'summary' ? await summaryPage(title, text, theme) : logPage(title, text, theme)
    await browser.draw(page, path.join(path.dirname(hashFile), `${name}-${theme}.png`), maxHeight)
  }
}
await writeFile(hashFile, `${JSON.stringify(await readHashes(), undefined, 2)}\n`)
