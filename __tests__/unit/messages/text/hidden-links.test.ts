import { expect, it } from '@jest/globals'
import { hideLinks } from '../../../../src/messages/text/secrets.ts'
import { record } from '../../../support/execution-status.ts'
import { recordedStep } from '../../actions/recorded-step.ts'

it.each(['result_url', 'logs_url'])('hides the %s of a status in all later lines', (name) => {
  const link = 'https://store.example/file?signature=0123456789abcdef'
  const { step, printed } = recordedStep()
  hideLinks(record({ [name]: link }), step, { masked: true })
  step.log.info(`fetching ${link}`)

  expect(printed.join('\n')).not.toContain('0123456789abcdef')
})
