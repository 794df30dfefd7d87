/** Tries what the end of a step needs, before the step sends its first request. */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { codeOf } from '../errors.ts'
import { notWritable, type ActionError } from '../messages/notice.ts'
import type { Environment } from './environment.ts'
import { makeStepFolder, temporaryFolderOf } from './files.ts'

/**
 * Opens the runner's file for outputs, without creating it. Returns the error that fails the step,
 * or undefined. Does nothing if the runner names no file.
 */
export async function tryOutputFile(environment: Environment): Promise<ActionError | undefined> {
  const file = environment['GITHUB_OUTPUT'] ?? ''
  if (file === '') return undefined
  try {
    const opened = await open(file, constants.O_WRONLY | constants.O_APPEND)
    await opened.close()
    return undefined
  } catch (error) {
    const what = `the runner's file for outputs (GITHUB_OUTPUT) ${file}`
    return notWritable(what, error, await ownerToUse(file, error))
  }
}

/** Makes the folder for the files of a step. @throws ActionError if that is impossible. */
export async function prepareFolder(environment: Environment): Promise<string> {
  try {
    return await makeStepFolder(environment)
  } catch (error) {
    const folder = temporaryFolderOf(environment)
    const what = `the runner's temporary folder (RUNNER_TEMP) ${folder}`
    throw notWritable(what, error, await ownerToUse(folder, error))
  }
}

/** Returns the owner of a file, if this step may not write the file because of another owner. */
async function ownerToUse(file: string, error: unknown): Promise<number | undefined> {
  const user = process.geteuid?.()
  if (!['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return undefined
  const { uid } = await stat(file).catch(() => ({ uid: user }))
  return uid === user ? undefined : uid
}
