/** The inputs that say whether another execution follows one that failed. */
import { z } from 'zod/mini'
import { retriableOutcomes } from '../../execution/conclusion.ts'
import { changed, quote, refuse, settingText } from './text.ts'
import { wordsOutOf } from './words.ts'

const mostRetries = 10

const retries = changed(settingText, (text, context) => {
  const count = /^\d+$/.test(text) ? Number(text) : Infinity
  if (count <= mostRetries) return count
  return refuse(context, `expected a whole number from 0 to ${mostRetries}, found ${quote(text)}`)
})

const retryOn = changed(settingText, wordsOutOf(retriableOutcomes, retriableOutcomes.join(', ')))

export const retrying = changed(z.object({ retries, 'retry-on': retryOn }), (given) => ({
  retries: given.retries,
  retryOn: given['retry-on'],
}))
