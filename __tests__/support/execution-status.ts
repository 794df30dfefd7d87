import type { ExecutionStatus } from '../../src/service/contract.ts'

/** Returns a status record. By default, the run is still running. */
export function record(given: Partial<ExecutionStatus> = {}): ExecutionStatus {
  return {
    exec_uuid: '9b2f6c1e-0000-4000-8000-000000000001',
    finished: false,
    error: false,
    stopped: false,
    container_error: false,
    result_url: null,
    logs_url: null,
    ...given,
  }
}

export const running = record()
export const finished = record({ finished: true })
