import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { findProgram } from '../find-program.ts'
import { shrinkPng } from './shrink-png.ts'

const run = promisify(execFile)

export interface Browser extends AsyncDisposable {
  /** Draws a page, `width` CSS pixels wide and as high as it is, into a PNG file. */
  draw(html: string, width: number, file: string): Promise<void>
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
// It opens files of ours only, and talks to nobody.
const quietly =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-lcd-text --hide-scrollbars'.split(
    ' ',
  )
// A page that takes longer does not get any further.
const patience = 60_000

/** @throws Error that says how to get a browser, where there is none. */
export async function openBrowser(environment: NodeJS.ProcessEnv): Promise<Browser> {
  const program = await findBrowser(environment)
  const folder = await mkdtemp(path.join(tmpdir(), 'browser-'))
  const page = path.join(folder, 'page.html')
  const browse = (...more: string[]) => {
    const profile = `--user-data-dir=${path.join(folder, 'profile')}`
    const options = [...quietly, profile, ...more, pathToFileURL(page).href]
    return run(program, options, { timeout: patience, maxBuffer: 64 * 1024 * 1024 })
  }
  return {
    async draw(html, width, file) {
      await writeFile(page, html)
      const { stdout } = await browse('--dump-dom')
      const height = /data-height="(\d+)"/.exec(stdout)?.[1] ?? '1000'
      await browse(`--window-size=${String(width)},${height}`, `--screenshot=${file}`)
      await writeFile(file, shrinkPng(await readFile(file)))
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

async function findBrowser(environment: NodeJS.ProcessEnv): Promise<string> {
  const named = environment['CHROMIUM']
  if (named) return named
  for (const name of names) {
    const program = await findProgram(name, environment)
    if (program !== undefined) return program
  }
  throw new Error(
    'Chromium is missing. Debian and Ubuntu: apt-get install chromium fonts-noto-color-emoji; elsewhere name any Chromium or Chrome in the variable CHROMIUM.',
  )
}
