/** Declares the input for the address of a run's page in the service's dashboard. */
import { z } from 'zod/mini'
import { parseUrl } from './connection.ts'
import { changed, givenText, optional, quote, refuse } from './text.ts'

const idPlaceholder = '{execution-id}'
const ofStart = ['{project}', '{automation}']

/** The input `dashboard-url` of actions that know the project and the automation. */
export const dashboard = dashboardWith(ofStart)
/** The input `dashboard-url` of the action `wait`, which knows only the execution id. */
export const dashboardOfExecution = dashboardWith([])

/** Declares an address that must contain `{execution-id}`, and may contain other placeholders. */
function dashboardWith(optionalPlaceholders: readonly string[]) {
  const others = optionalPlaceholders.join(' and ')
  const also = others === '' ? '' : `, and optionally ${others}`
  const address = changed(givenText, (text, context) => {
    const found = findProblem(text, [idPlaceholder, ...optionalPlaceholders])
    return found === undefined
      ? text
      : refuse(
          context,
          `expected an https address with ${idPlaceholder}${also} after the host, ${found}`,
        )
  })
  return changed(
    z.object({ 'dashboard-url': optional(address) }),
    (given) => given['dashboard-url'],
  )
}

function findProblem(text: string, known: readonly string[]): string | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:') return `found ${url ? `${url.protocol}//` : 'something else'}`
  // The service chooses the execution id, so the id must not become part of the link's host.
  if (/[{}]/.test(url.host) || url.username || url.password) {
    return 'found a placeholder, user name or password in the host'
  }
  const placeholders = Array.from(text.matchAll(/\{[^{}]*\}/g), ([name]) => name)
  if (!placeholders.includes(idPlaceholder)) return `found no ${idPlaceholder}`
  const unknown = placeholders.filter((name) => !known.includes(name))
  if (unknown.length > 0) return `found also ${unknown.map(quote).join(', ')}`
  const hasStrayBrace = /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, ''))
  return hasStrayBrace ? 'found a brace that belongs to no placeholder' : undefined
}
