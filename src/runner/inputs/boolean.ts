import { settingText, quote, refuse } from './text.ts'

const spellings = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

/** A boolean as the core schema of YAML 1.2 spells it. */
export const booleanInput = settingText.transform((text, context) => {
  const value = spellings.get(text)
  return value ?? refuse(context, `expected true or false, found ${quote(text)}`)
})
