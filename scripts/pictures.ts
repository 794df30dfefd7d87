// `npm run pictures`: draws the README's pictures from what the transcripts of the tests show.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openBrowser } from './pictures/browser.ts'
import { logPage, summaryPage } from './pictures/pages.ts'
import { hashesOf, hashFile, readPictures } from './pictures/sources.ts'

await using browser = await openBrowser(process.env)
const pictures = await readPictures()
for (const { name, part, text } of pictures) {
  const page = part === 'Job summary' ? await summaryPage(text) : logPage(text)
  await browser.draw(page, path.join(path.dirname(hashFile), `${name}.png`))
}
await writeFile(hashFile, `${JSON.stringify(hashesOf(pictures), undefined, 2)}\n`)
