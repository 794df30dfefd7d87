import { expect, it } from '@jest/globals'
import { SimulatedClock } from '../../../../sandbox/simulation/simulated-clock.ts'
import { PassingLinks } from '../../../../src/actions/batch/passing-links.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { record } from '../../../support/execution-status.ts'

const linkOf = (number: number) => `https://store/${number}?signature=0123456789abcdef-${number}`

it('hides signed links for the 60 s that they work, and no longer', async () => {
  const clock = new SimulatedClock({ longestJump: 0 })
  const secrets = new Secrets(() => undefined)
  const links = new PassingLinks(secrets, clock)
  links.hide(record({ result_url: linkOf(1), logs_url: null }))
  await clock.advance(59_999)
  links.hide(record({ result_url: linkOf(2), logs_url: null }))
  expect(secrets.show(`${linkOf(1)} ${linkOf(2)}`)).toBe('*** ***')

  await clock.advance(1)
  links.hide(record({ result_url: linkOf(3), logs_url: null }))
  expect(secrets.show(`${linkOf(1)} ${linkOf(2)}`)).toBe(`${linkOf(1)} ***`)
})

it('tells the runner one mask a link, since it keeps them all and shows each as a line', () => {
  const masked: string[] = []
  const links = new PassingLinks(new Secrets((value) => masked.push(value)), new SimulatedClock())
  links.hide(record({ result_url: linkOf(1), logs_url: 'https://store/log?v=2' }))
  expect(masked).toEqual(['signature=0123456789abcdef-1', 'https://store/log?v=2'])
})
