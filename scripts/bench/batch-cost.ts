/** What a run of a batch costs the runner, in real time and over loopback: processor and memory. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Deadline, systemClock } from '../../src/clock.ts'
import { HttpStore } from '../../src/download/store.ts'
import { followBatch } from '../../src/execution/batch/follow-batch.ts'
import { AutomationService } from '../../src/service/client.ts'
import { HttpTransport } from '../../src/service/transport.ts'
import { equalRuns, silent, usualCollaborators } from './batch-setup.ts'

export interface BatchCost {
  /** Milliseconds of processor time. */
  cpuPerRun: number
  /** Bytes of the process before the first run, and after each tenth of the runs. */
  memory: number[]
  /** Bytes of the heap that are in use before and after, with all garbage collected. */
  kept: { before: number; after: number }
  /** Milliseconds. */
  taken: number
}

/** Runs of 0 s, with a result and a log each, without a budget of checks. */
export async function measureBatchCost(runs: number, maxParallel: number): Promise<BatchCost> {
  const server = fork(path.join(import.meta.dirname, 'batch-server.mjs'))
  const [port] = (await once(server, 'message')) as [number]
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-'))
  using deadline = new Deadline(systemClock, 3_600_000)
  const memory = [process.memoryUsage().rss]
  let ended = 0
  const onEnded = () => {
    if (++ended % Math.ceil(runs / 10) === 0) memory.push(process.memoryUsage().rss)
  }
  const kept = { before: heapInUse(), after: NaN }
  const before = process.cpuUsage()
  const { counts, duration } = await followBatch(
    equalRuns(runs, maxParallel, deadline),
    {
      ...usualCollaborators(systemClock, folder),
      ...connect(`http://127.0.0.1:${port}`),
      checksPerSecond: Infinity,
    },
    { ...silent, onEnded },
  )
  const { user, system } = process.cpuUsage(before)
  server.disconnect()
  kept.after = heapInUse()
  await rm(folder, { recursive: true })
  if (counts.succeeded !== runs)
    throw new Error(`not all runs succeeded: ${JSON.stringify(counts)}`)
  return { cpuPerRun: (user + system) / 1000 / runs, memory, kept, taken: duration }
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

function connect(baseUrl: string) {
  const credentials = { apiToken: 't', apiKey: 'k', authorizationScheme: 'token' as const }
  const address = { baseUrl, statusBaseUrl: baseUrl }
  return {
    service: new AutomationService(new HttpTransport('bench'), address, credentials),
    store: new HttpStore('bench', { loopback: true }),
  }
}
