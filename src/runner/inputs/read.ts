/** Declares the inputs of each action. Each group of inputs is parsed into one typed value. */
import { again } from './again.ts'
import { commitStatus } from './commit-status.ts'
import { connection, connectionWithStatus } from './connection.ts'
import { dashboard } from './dashboard.ts'
import type { ValuesOf } from './declaration.ts'
import { jobId } from './job.ts'
import { publishing } from './publishing.ts'
import { execution, ifExists, project, start } from './subject.ts'
import { checking, retrying, waiting, waitingForStarts } from './waiting.ts'

export function runInputs(workspace: string, bundleFolder: string) {
  return {
    connection: connectionWithStatus,
    dashboard,
    start: start(workspace),
    waiting: waitingForStarts,
    retrying: retrying(workspace, bundleFolder),
    publishing,
    again,
    jobId,
  }
}

export function startInputs(workspace: string) {
  return {
    connection: connectionWithStatus,
    dashboard,
    start: start(workspace),
    again,
    commitStatus,
    jobId,
  }
}

export function waitInputs(workspace: string, bundleFolder: string) {
  return {
    connection: connectionWithStatus,
    dashboard,
    executionId: execution,
    waiting,
    checking: checking(workspace, bundleFolder),
    publishing,
    commitStatus,
    jobId,
  }
}

export function createProjectInputs() {
  return { connection, project, ifExists }
}

export type RunInputs = ValuesOf<ReturnType<typeof runInputs>>
export type StartInputs = ValuesOf<ReturnType<typeof startInputs>>
export type WaitInputs = ValuesOf<ReturnType<typeof waitInputs>>
export type CreateProjectInputs = ValuesOf<ReturnType<typeof createProjectInputs>>
