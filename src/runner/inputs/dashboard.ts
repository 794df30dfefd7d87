/** The input that leads from a run to its page in the service's dashboard. */
import { z } from 'zod/mini'
import { webhookAddress } from './connection.ts'
import { changed, optional, quote, refuse } from './text.ts'

const idPlaceholder = '{execution-id}'
const ofStart = [idPlaceholder, '{project}', '{automation}']

/** For actions that know what they start. */
export const dashboard = dashboardWith(ofStart)
/** For `wait`, which knows only the id. */
export const dashboardOfExecution = dashboardWith([idPlaceholder])

/** The address with its placeholders. The service chooses the id, so no host is made of it. */
function dashboardWith(known: readonly string[]) {
  const address = changed(webhookAddress, (text, context) => {
    const placeholders = Array.from(text.matchAll(/\{[^{}]*\}/g), ([found]) => found)
    const expected = `expected an https address with ${known.join(', ')} after the host`
    if (/^[^/]*\/\/[^/?#]*[{}@]/.test(text)) {
      return refuse(context, `${expected}, found a placeholder, user name or password in the host`)
    }
    if (!placeholders.includes(idPlaceholder)) {
      return refuse(context, `${expected}, found no ${idPlaceholder}`)
    }
    const unknown = placeholders.filter((placeholder) => !known.includes(placeholder))
    return unknown.length === 0
      ? text
      : refuse(context, `${expected}, found also ${unknown.map(quote).join(', ')}`)
  })
  return changed(
    z.object({ 'dashboard-url': optional(address) }),
    (given) => given['dashboard-url'],
  )
}
