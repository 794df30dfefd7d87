/** Adds up monthly sales, and fails with a Python traceback at a month without a number. */
import { PythonError, type Automation } from '../service/automation.ts'

const sales = ['1200', '1350', '990', 'n/a', '1410']

const tracebackOf = (text: string) => `Traceback (most recent call last):
  File "/app/jobs/broken_report.py", line 14, in broken_report
    total += amount(text)
  File "/app/jobs/broken_report.py", line 23, in amount
    return float(text)
ValueError: could not convert string to float: '${text}'
`

const brokenReport: Automation<unknown> = () => {
  console.log(`reading ${sales.length} months`)
  let total = 0
  for (const [index, text] of sales.entries()) {
    if (Number.isNaN(Number(text))) throw new PythonError(tracebackOf(text))
    total += Number(text)
    console.log(`month ${index + 1}: ${text}, ${total} in all`)
  }
  return { total }
}

export default brokenReport
