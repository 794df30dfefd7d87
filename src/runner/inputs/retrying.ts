/** The inputs that say whether another execution follows one that failed. */
import { z } from 'zod'
import { retriableOutcomes } from '../../execution/retries.ts'
import { quote, refuse, settingText } from './text.ts'
import { wordsOutOf } from './words.ts'

const mostRetries = 10

const retries = settingText.transform((text, context) => {
  const count = /^\d+$/.test(text) ? Number(text) : Infinity
  if (count <= mostRetries) return count
  return refuse(context, `expected a whole number from 0 to ${mostRetries}, found ${quote(text)}`)
})

const retryOn = settingText.transform(wordsOutOf(retriableOutcomes, retriableOutcomes.join(', ')))

export const retrying = z
  .object({ retries, 'retry-on': retryOn })
  .transform((given) => ({ retries: given.retries, retryOn: given['retry-on'] }))
