import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { compileCache } from '../../sandbox/compile-cache.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))

// npm start keeps the step's files. In these tests they go into a folder that is removed.
let kept: TemporaryFolder
beforeEach(async () => {
  kept = await makeTemporaryFolder()
})
afterEach(() => kept[Symbol.asyncDispose]())

interface Run {
  exitCode: number
  stdout: string
  stderr: string
}

/** Runs `npm start -- …words` without variables of our environment that change the result. */
function start(
  words: string[],
  onOutput?: (text: string, interrupt: () => void) => void,
  more: Record<string, string> = {},
) {
  const { PATH = '', SystemRoot = '' } = process.env
  const temporary = { TMPDIR: kept.path, TEMP: kept.path, TMP: kept.path }
  const env = { PATH, SystemRoot, ...temporary, ...compileCache, ...more }
  return new Promise<Run>((resolve) => {
    const options = { cwd: repository, env }
    const child = execFile(
      process.execPath,
      ['scripts/start.ts', ...words],
      options,
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr })
      },
    )
    child.stdout?.on('data', (text: string) => onOutput?.(text, () => child.kill('SIGINT')))
  })
}

describe('npm start', () => {
  it('succeeds and shows the results of the step, on a machine with its own certificates', async () => {
    const env = { NODE_EXTRA_CA_CERTS: path.join(kept.path, 'none') }
    const words = ['--automation', 'text-note', '--fault', '503']
    const { exitCode, stdout } = await start(words, undefined, env)
    expect(exitCode).toBe(0)
    // Node prints this warning on the step's stderr, which the log includes.
    expect(stdout).toContain('Ignoring extra certs')
    expect(stdout).toMatch(/^ {2}conclusion +success$/m)
    expect(stdout).toMatch(
      /^Artifact text-note-.*\n {2}execution\.json .*\n {2}result\.txt +\d+ bytes$/m,
    )
    const summary = /^Open (?<file>\S+) in a browser/m.exec(stdout)?.groups?.['file'] ?? ''
    expect(await readFile(summary, 'utf8')).toMatch(/<article class="markdown-body">.*text-note/s)
    // The log looks as on GitHub: no commands, and groups below their titles.
    expect(stdout).toMatch(/^▼ The result\n {3}│ All 12 feeds were read\.$/m)
    expect(stdout).not.toContain('stop-commands')
    expect(stdout).not.toContain('\u001b') // no colours in a pipe
  })

  it.each([
    ['429', /^Not accepted \(the service answered 429\)\. Next try in 3 s\.$/m],
    [
      '404',
      /^A check got no proper answer \(the service answered 404\); checking again in \S+ s$/m,
    ],
    ['cut-download', /^The result was not downloaded \(.*\); trying again in \S+ s$/m],
  ])('shows in the log that the fault %s was overcome', async (fault, line) => {
    const { exitCode, stdout } = await start(['--automation', 'text-note', '--fault', fault])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(line)
  })

  it('shows how a second attempt takes over what a first one started', async () => {
    const words = ['--rerun', '--seed', '{"seconds": 4}']
    const { exitCode, stdout } = await start(words)
    expect(exitCode).toBe(0)
    const [first = '', second = ''] = stdout.split('Attempt 2: the action run against')
    expect(first).toMatch(/^Attempt 1, with a timeout of 2 s: the action run against the sandbox/)
    expect(first).toMatch(/^ {2}conclusion +timed-out$/m)
    const id = /^ {2}execution-id +(?<id>\S+)$/m.exec(first)?.groups?.['id'] ?? '?'
    // The expression allows both cases: on a busy machine, the execution may have finished.
    expect(second).toMatch(new RegExp(`^Execution ${id} of attempt 1 .*starts nothing\\.$`, 'm'))
    expect(second).toMatch(/^ {2}resumed +true$/m)
    expect(second).toMatch(/^ {2}conclusion +success$/m)
  })

  // Windows has no signals.
  const onUnix = process.platform === 'win32' ? it.skip : it
  onUnix('forwards an interrupt to the step, and reports how the step ended', async () => {
    const words = ['--automation', 'slow-count', '--seed', '{"seconds": 60}']
    const { exitCode, stdout } = await start(words, (text, interrupt) => {
      if (text.includes('Started as execution')) interrupt()
    })
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/^ {2}conclusion +cancelled$/m)
    expect(stdout).not.toContain('The record for a re-run')
  })
})
