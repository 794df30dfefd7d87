import fc from 'fast-check'
import { finished, record } from '../support/execution-status.ts'
import { json, serveScripted } from '../support/scripted-service.ts'
import { arrivingBody, bytesOf, type WireAnswer } from '../support/wire-answer.ts'
import { answerWith, isDubious } from './answers.ts'
import type { Perform } from './step.ts'
import { commonViolations, objectIn } from './verdict.ts'

const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
const success = JSON.stringify(finished)
const bodies = [
  success,
  `\ufeff${success}`,
  success.replace('{', `{"deep":${deep},`),
  JSON.stringify(record()),
  JSON.stringify(record({ error: true })),
  JSON.stringify(record({ finished: true, container_error: true })),
  success.replace('false', '"false"'),
]

/** Whether an answer says, whole and beyond doubt, that the run succeeded. */
function tellsSuccess(answer: WireAnswer): boolean {
  const told = objectIn(arrivingBody(answer))
  const flags = [told?.['error'], told?.['stopped'], told?.['container_error']]
  const succeeded = told?.['finished'] === true && flags.every((flag) => flag === false)
  return Math.floor(answer.status / 100) === 2 && succeeded
}

/** What must not have happened and did. */
export async function checkStatus(answers: WireAnswer[], perform: Perform): Promise<string[]> {
  await using service = await serveScripted({
    status: (count) => {
      const answer = answers[count - 1]
      // In the end it failed: only an answer before can make the step pass.
      if (!answer) return json(record({ finished: true, error: true }))
      return { bytes: bytesOf(answer), then: answer.then }
    },
  })
  const performed = await perform('wait', service.url)
  const [first] = answers
  const last = answers[service.requests.status - 1]
  const told = last !== undefined && tellsSuccess(last)
  const missed = first !== undefined && tellsSuccess(first) && !isDubious(first)
  return [
    ...commonViolations(performed),
    ...(performed.passed && !told ? ['a false green'] : []),
    ...(!performed.passed && missed ? ['a false red'] : []),
  ]
}

export const statusCases = fc.array(answerWith(...bodies), { minLength: 1, maxLength: 3 })
