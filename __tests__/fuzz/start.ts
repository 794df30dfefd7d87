import fc from 'fast-check'
import { serveScripted } from '../support/scripted-service.ts'
import { arrivingBody, bytesOf, type WireAnswer } from '../support/wire-answer.ts'
import { answerWith, isDubious } from './answers.ts'
import type { Perform } from './step.ts'
import { commonViolations, objectIn } from './verdict.ts'

const bodies = [
  '{"status":"success","message":"started","execution_id":"e-1"}',
  '\ufeff{"exec_uuid":"e-2"}',
  '{"execution_id":""}',
]

/** Whether an answer says, whole and beyond doubt, that a run was started. */
function accepts(answer: WireAnswer): boolean {
  const told = objectIn(arrivingBody(answer))
  const id = told?.['exec_uuid'] ?? told?.['execution_id']
  return Math.floor(answer.status / 100) === 2 && typeof id === 'string' && id !== ''
}

/** Whether an answer says that the start was not taken, so that it may be sent again. */
function postpones({ status, headers }: WireAnswer): boolean {
  const asksToWait = headers.some(([name, value]) => name === 'retry-after' && value !== 'soon')
  return status === 429 || (status === 503 && asksToWait)
}

/** What must not have happened and did. */
export async function checkStart(answers: WireAnswer[], perform: Perform): Promise<string[]> {
  await using service = await serveScripted({
    start: (count) => {
      const answer = answers[count - 1]
      return answer && { bytes: bytesOf(answer), then: answer.then }
    },
  })
  const performed = await perform('start', service.url)
  const asked = service.requests.start
  const [first] = answers
  const last = answers[asked - 1]
  const again = answers.slice(0, asked - 1)
  return [
    ...commonViolations(performed),
    ...(asked > 1 && !again.every(postpones) ? ['a double start'] : []),
    ...(performed.passed && last && !accepts(last) ? ['a false green'] : []),
    ...(!performed.passed && first && accepts(first) && !isDubious(first) ? ['a false red'] : []),
  ]
}

export const startCases = fc.array(answerWith(...bodies), { minLength: 2, maxLength: 2 })
