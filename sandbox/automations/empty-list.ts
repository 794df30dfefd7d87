/** A scraper whose site has changed: it ends well, and finds nothing. */
import type { Automation } from '../service/automation.ts'

const emptyList: Automation<unknown> = () => {
  console.log('0 rows found')
  return []
}

export default emptyList
