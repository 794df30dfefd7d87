/** The faults of the sandbox for `npm start -- --fault NAME`, by name. */
import type { FaultInput } from '../../sandbox/service/faults.ts'

export const faults: Readonly<Record<string, FaultInput>> = {
  '401': { fault: 'status', on: 'start', status: 401, body: '{"detail":"Invalid token."}' },
  '404': { fault: 'status', on: 'status', status: 404, times: 2 },
  '429': { fault: 'status', on: 'start', status: 429, headers: { 'retry-after': '3' } },
  '503': { fault: 'status', on: 'status', status: 503, times: 3 },
  'lost-answer': { fault: 'reset-before-answer', on: 'start', accepted: true },
  'no-answer': { fault: 'reset-before-answer', on: 'status', times: 3 },
  'web-page': { fault: 'html', on: 'status', times: 2 },
  'expired-link': { fault: 'expired', on: 'link-result' },
  'cut-download': { fault: 'cut-after', on: 'link-result' },
}
