/** Declares the inputs of a batch. In a file of its own, so that other actions do not load this code. */
import { again } from './again.ts'
import { list, pool } from './batch.ts'
import { connectionWithStatus } from './connection.ts'
import { dashboard } from './dashboard.ts'
import type { ValuesOf } from './declaration.ts'
import { jobId } from './job.ts'
import { publishing } from './publishing.ts'
import { batchDelivery, batchTarget } from './subject.ts'
import { retrying, waitingForStarts } from './waiting.ts'

export function batchInputs(workspace: string, bundleFolder: string) {
  return {
    connection: connectionWithStatus,
    dashboard,
    target: batchTarget,
    list: list(workspace),
    delivery: batchDelivery,
    pool,
    waiting: waitingForStarts,
    retrying: retrying(workspace, bundleFolder),
    publishing,
    again,
    jobId,
  }
}

export type BatchInputs = ValuesOf<ReturnType<typeof batchInputs>>
