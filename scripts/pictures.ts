// `npm run pictures` draws the README's pictures from steps that run against the sandbox.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import makeBundlesUnderTest from './build/fresh-bundles.mjs'
import { openBrowser } from './pictures/browser.ts'
import { logPage, summaryPage } from './pictures/pages.ts'
import { hashFile, readHashes, runPictures } from './pictures/sources.ts'

await using browser = await openBrowser(process.env)
await makeBundlesUnderTest({ nonFlagArgs: [] })
for await (const { name, part, text } of runPictures()) {
  const page = part === 'summary' ? await summaryPage(text) : logPage(text)
  await browser.draw(page, path.join(path.dirname(hashFile), `${name}.png`))
}
await writeFile(hashFile, `${JSON.stringify(await readHashes(), undefined, 2)}\n`)
