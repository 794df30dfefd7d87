/** The inputs of a batch: apart from the others', whose bundles would carry its parts otherwise. */
import { again } from './again.ts'
import { list, pool } from './batch.ts'
import { connectionWithStatus } from './connection.ts'
import type { ValuesOf } from './declaration.ts'
import { batchPublishing } from './publishing.ts'
import { batchDelivery, batchTarget } from './subject.ts'
import { batchWaiting, retrying } from './waiting.ts'

export function batchInputs(workspace: string, bundleFolder: string) {
  return {
    connection: connectionWithStatus,
    target: batchTarget,
    list: list(workspace),
    delivery: batchDelivery,
    pool,
    waiting: batchWaiting,
    retrying: retrying(workspace, bundleFolder),
    again,
    publishing: batchPublishing(workspace),
  }
}

export type BatchInputs = ValuesOf<ReturnType<typeof batchInputs>>
