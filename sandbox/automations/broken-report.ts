/** Adds up monthly sales and fails at a month without a number. */
import type { Automation } from '../service/automation.ts'

class ValueError extends Error {
  override readonly name = 'ValueError'
}

const sales = ['1200', '1350', '990', 'n/a', '1410']

const brokenReport: Automation<unknown> = () => {
  console.log(`reading ${sales.length} months`)
  let total = 0
  for (const [index, text] of sales.entries()) {
    total += readAmount(text)
    console.log(`month ${index + 1}: ${text}, ${total} in all`)
  }
  return { total }
}

function readAmount(text: string): number {
  const amount = Number(text)
  if (Number.isNaN(amount)) {
    throw new ValueError(`could not convert string to float: '${text}'`)
  }
  return amount
}

export default brokenReport
