import { readFileSync } from 'node:fs'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PythonError } from './automation.ts'

interface Frame {
  file: string
  line: number
  within: string
}

const framePattern = /^\s+at (?:async )?(?:(.+?) \()?(file:\/\/.+?):(\d+):\d+\)?$/
const serviceFolder = dirname(fileURLToPath(import.meta.url))

/** The Python names for errors of JavaScript. */
const pythonNames: Record<string, string> = {
  Error: 'RuntimeError',
  RangeError: 'ValueError',
  ReferenceError: 'NameError',
}

/**
 * Returns the traceback of an error as Python prints it. The most recent call comes last. Paths are
 * relative to `root`. A `cause` comes first, as with `raise … from`.
 */
export function traceback(thrown: unknown, root: string): string {
  if (thrown instanceof PythonError) return thrown.traceback
  if (!(thrown instanceof Error)) {
    return `Traceback (most recent call last):\nRuntimeError: ${String(thrown)}\n`
  }
  const frames = framesOf(thrown).map((frame) => describe(frame, root))
  const name = pythonNames[thrown.name] ?? thrown.name
  const own = `Traceback (most recent call last):\n${frames.join('')}${name}: ${thrown.message}\n`
  if (thrown.cause === undefined) return own
  const link = 'The above exception was the direct cause of the following exception:'
  return `${traceback(thrown.cause, root)}\n${link}\n\n${own}`
}

function framesOf(error: Error): Frame[] {
  return (error.stack ?? '')
    .split('\n')
    .map((line) => framePattern.exec(line))
    .filter((match) => match !== null)
    .map(([, name, url, line]) => ({
      file: fileURLToPath(url ?? ''),
      line: Number(line),
      within: functionName(name),
    }))
    .filter(({ file }) => dirname(file) !== serviceFolder)
    .reverse()
}

function functionName(name: string | undefined): string {
  const last = name?.split('.').at(-1)
  return !last || last === 'default' || last === '<anonymous>' ? '<module>' : last
}

function describe({ file, line, within }: Frame, root: string): string {
  const fromRoot = relative(root, file)
  // If the file is on another drive, `relative` returns an absolute path.
  const outside = fromRoot.startsWith('..') || isAbsolute(fromRoot)
  const path = outside ? file : fromRoot.split(sep).join('/')
  const source = readFileSync(file, 'utf8').split(/\r?\n/)[line - 1]?.trim()
  const quoted = source ? `    ${source}\n` : ''
  return `  File "${path}", line ${line}, in ${within}\n${quoted}`
}
