/** One function per action: its inputs, parsed once into one typed value. */
import type { z } from 'zod'
import { connection, connectionWithStatus } from './connection.ts'
import { ifExists, project } from './create-project.ts'
import { readGroups, workspaceOf, type Environment, type InputGroup } from './environment.ts'
import { execution } from './execution.ts'
import { publishing } from './publishing.ts'
import { start } from './start.ts'
import { waiting } from './waiting.ts'

export type { Environment }

export function runInputs(workspace: string) {
  return {
    connection: connectionWithStatus,
    start: start(workspace),
    waiting,
    publishing: publishing(workspace),
  }
}

export function startInputs(workspace: string) {
  return { connection, start: start(workspace) }
}

export function waitInputs(workspace: string) {
  return {
    connection: connectionWithStatus,
    executionId: execution,
    waiting,
    publishing: publishing(workspace),
  }
}

export function createProjectInputs(namePattern: RegExp) {
  return { connection, project: project(namePattern), ifExists }
}

type Values<Groups extends Record<string, InputGroup>> = {
  [Name in keyof Groups]: z.output<Groups[Name]>
}

export type RunInputs = Values<ReturnType<typeof runInputs>>
export type StartInputs = Values<ReturnType<typeof startInputs>>
export type WaitInputs = Values<ReturnType<typeof waitInputs>>
export type CreateProjectInputs = Values<ReturnType<typeof createProjectInputs>>

/** @throws InputError with all problems of all inputs; so do the other three. */
export function readRunInputs(environment: Environment = process.env): Promise<RunInputs> {
  return readGroups(runInputs(workspaceOf(environment)), environment)
}

export function readStartInputs(environment: Environment = process.env): Promise<StartInputs> {
  return readGroups(startInputs(workspaceOf(environment)), environment)
}

export function readWaitInputs(environment: Environment = process.env): Promise<WaitInputs> {
  return readGroups(waitInputs(workspaceOf(environment)), environment)
}

/** `namePattern` is the service's rule for names of projects, which the caller knows. */
export function readCreateProjectInputs(
  namePattern: RegExp,
  environment: Environment = process.env,
): Promise<CreateProjectInputs> {
  return readGroups(createProjectInputs(namePattern), environment, 'nothing was created')
}
