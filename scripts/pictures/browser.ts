import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { findProgram } from '../find-program.ts'
import { pageWidth } from './pages.ts'

const run = promisify(execFile)

export interface Browser extends AsyncDisposable {
  /**
   * Draws the page into a PNG file with two pixels for each CSS pixel. Leaves out what is below
   * `maxHeight` CSS pixels.
   */
  draw(html: string, file: string, maxHeight?: number): Promise<void>
}

const names = ['chromium', 'chromium-browser', 'google-chrome', 'chrome']
// The browser opens only pages that this program made, so it needs no sandbox and no network.
const offlineOptions =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync --disable-lcd-text --hide-scrollbars --force-device-scale-factor=2 --default-background-color=00000000'.split(
    ' ',
  )
// Milliseconds. Ends a call of the browser that hangs.
const timeout = 60_000

/** @throws Error that says how to get a browser if there is none. */
export async function openBrowser(environment: NodeJS.ProcessEnv): Promise<Browser> {
  const program = findBrowser(environment)
  const folder = await mkdtemp(path.join(tmpdir(), 'browser-'))
  const page = path.join(folder, 'page.html')
  const browse = (...more: string[]) => {
    const profile = `--user-data-dir=${path.join(folder, 'profile')}`
    const options = [...offlineOptions, profile, ...more, pathToFileURL(page).href]
    return run(program, options, { timeout, maxBuffer: 64 * 1024 * 1024 })
  }
  return {
    async draw(html, file, maxHeight = Infinity) {
      await writeFile(page, html)
      const { stdout } = await browse('--dump-dom')
      const height = Number(/data-height="(\d+)"/.exec(stdout)?.[1] ?? '1000')
      const size = `${pageWidth},${Math.min(height, maxHeight)}`
      await browse(`--window-size=${size}`, `--screenshot=${file}`)
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function findBrowser(environment: NodeJS.ProcessEnv): string {
  const program = environment['CHROMIUM'] ?? findProgram(...names)
  if (program !== undefined) return program
  throw new Error(
    'Chromium is missing. On Debian and Ubuntu, run apt-get install chromium fonts-noto-color-emoji. On other systems, set the variable CHROMIUM to the path of Chromium or Chrome.',
  )
}
