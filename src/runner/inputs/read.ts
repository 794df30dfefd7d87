/** The inputs of each action: one declaration, whose groups are parsed into one typed value. */
import { again } from './again.ts'
import { commitStatus } from './commit-status.ts'
import { connection, connectionWithStatus } from './connection.ts'
import type { InputDeclaration, ValuesOf } from './declaration.ts'
import { publishing } from './publishing.ts'
import { execution, ifExists, project, start } from './subject.ts'
import { checking, retrying, waiting } from './waiting.ts'

export const runInputs = {
  groups: (workspace: string, bundleFolder: string) => ({
    connection: connectionWithStatus,
    start: start(workspace),
    waiting,
    retrying: retrying(workspace, bundleFolder),
    publishing: publishing(workspace),
    again,
  }),
  untouched: 'nothing was started',
} satisfies InputDeclaration

export const startInputs = {
  groups: (workspace: string) => ({
    connection: connectionWithStatus,
    start: start(workspace),
    again,
    commitStatus,
  }),
  untouched: 'nothing was started',
} satisfies InputDeclaration

export const waitInputs = {
  groups: (workspace: string, bundleFolder: string) => ({
    connection: connectionWithStatus,
    executionId: execution,
    waiting,
    checking: checking(workspace, bundleFolder),
    publishing: publishing(workspace),
    commitStatus,
  }),
  untouched: 'nothing was started',
} satisfies InputDeclaration

export const createProjectInputs = {
  groups: () => ({ connection, project, ifExists }),
  untouched: 'nothing was created',
} satisfies InputDeclaration

export type RunInputs = ValuesOf<ReturnType<typeof runInputs.groups>>
export type StartInputs = ValuesOf<ReturnType<typeof startInputs.groups>>
export type WaitInputs = ValuesOf<ReturnType<typeof waitInputs.groups>>
export type CreateProjectInputs = ValuesOf<ReturnType<typeof createProjectInputs.groups>>
