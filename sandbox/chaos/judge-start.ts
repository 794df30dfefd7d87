/** Never twice, and never lost from sight. */
import { conclusionOf, type Evidence } from './evidence.ts'
import { leavesOpen, provesNothingBegan } from './ledger.ts'
import { unless, type Offence } from './offence.ts'

export function judgeStart(evidence: Evidence): Offence[] {
  const { plan, ledger } = evidence
  if (plan.action === 'wait') return []
  const route = plan.action === 'create-project' ? 'create-project' : 'start'
  const sent = ledger.of(route)
  const { accepted } = ledger
  const again = sent.slice(0, -1).filter(({ seen }) => !provesNothingBegan(seen))
  const last = sent.at(-1)?.seen
  return [
    ...unless(accepted.length <= 1, 'starts accepted twice', accepted.join(', ')),
    ...again.map(({ seen }): Offence => ({
      zero: 'starts sent again after one that may have been accepted',
      why: JSON.stringify(seen),
    })),
    ...unless(accepted.length === 0 || isInSight(evidence), 'runs lost from sight', route),
    ...unless(
      !last || !leavesOpen(last) || saysItMayExist(evidence),
      'verdicts that disagree with the service',
      `nothing was clear, and it does not say so: ${JSON.stringify(last)}`,
    ),
    ...unless(sent.length <= 5, 'starts accepted twice', `${sent.length} requests`),
  ]
}

function isInSight(evidence: Evidence): boolean {
  const { performance, world, plan } = evidence
  const { recording } = performance
  if (saysItMayExist(evidence)) return true
  if (plan.action === 'create-project') return recording.output('created') === 'true'
  if (recording.lostOutputs > 0) return saysWhichRun(evidence)
  return recording.output('execution-id') === world.service.executionId
}

/** Where the outputs are lost, the annotation is what is left; ids of other shapes are rewritten. */
function saysWhichRun({ performance, world }: Evidence): boolean {
  const { executionId } = world.service
  const isPlain = /^[\da-f-]+$/.test(executionId)
  const { annotations } = performance.recording
  return !isPlain || annotations.some(({ text }) => text.includes(executionId))
}

function saysItMayExist({ plan, performance }: Evidence): boolean {
  const told = performance.recording.annotations.some(
    ({ level, text }) => level === 'error' && text.includes('may or may not have'),
  )
  return told && (plan.action !== 'run' || conclusionOf(performance) === 'unknown')
}
