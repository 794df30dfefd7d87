/** A batch of equal runs, as both measurements make it. */
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Clock, Deadline } from '../../src/clock.ts'
import type {
  BatchCollaborators,
  BatchListener,
  BatchPlan,
  BatchSeed,
} from '../../src/execution/batch/batch.ts'

export function equalRuns(count: number, maxParallel: number, deadline: Deadline): BatchPlan {
  const seeds = Array.from({ length: count }, (_, index): BatchSeed => {
    return { index, text: '{}', label: undefined, key: '', occurrence: index }
  })
  return {
    seeds: { seeds, total: count },
    request: { project: 'demo', automation: 'bench' },
    maxParallel,
    deadline,
    failFast: false,
    retries: 0,
    retryOn: new Set(),
    failsStep: (conclusion) => conclusion !== 'success',
    pollInterval: 5_000,
    recorded: () => ({ kind: 'none' }),
    onRerun: 'resume',
  }
}

export function usualCollaborators(
  clock: Clock,
  folder: string,
): Omit<BatchCollaborators, 'service' | 'store'> {
  return {
    clock,
    folder,
    checksPerSecond: 5,
    random: Math.random,
    cancelled: new AbortController().signal,
    makeFolder: async ({ index }) => {
      const made = path.join(folder, String(index))
      await mkdir(made)
      return made
    },
    removeFolder: (made) => rm(made, { recursive: true }),
    readLogEnd: (file) => readFile(file, 'utf8'),
    showWords: (text) => text,
  }
}

const nothing = () => undefined

export const silent: BatchListener = {
  onBegin: nothing,
  onStarted: nothing,
  onStatus: nothing,
  onStartRetry: nothing,
  onRetry: nothing,
  onStartedAnew: nothing,
  onHold: nothing,
  onTrouble: nothing,
  onRecovery: nothing,
  onStop: nothing,
  onEnded: nothing,
}
