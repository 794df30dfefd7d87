/** Declares the input for the address of a run's page in the service's dashboard. */
import { z } from 'zod/mini'
import { idPlaceholder } from '../../messages/run-link.ts'
import { parseUrl } from './connection.ts'
import { changed, givenText, optional } from './text.ts'

const address = givenText.check(
  z.refine((text) => findProblem(text) === undefined, {
    error: ({ input }) =>
      `expected an https address with ${idPlaceholder} once, after the host, such as https://dashboard.example.com/runs/${idPlaceholder}, ${findProblem(String(input)) ?? ''}`,
  }),
)

export const dashboard = changed(
  z.object({ 'dashboard-url': optional(address) }),
  (given) => given['dashboard-url'],
)

function findProblem(text: string): string | undefined {
  const url = parseUrl(text)
  if (url?.protocol !== 'https:') return `found ${url ? `${url.protocol}//` : 'something else'}`
  // The service chooses the execution id, so the id must not become part of the link's host.
  if (/[{}]/.test(url.host) || url.username || url.password) {
    return 'found a placeholder, user name or password in the host'
  }
  const parts = text.split(idPlaceholder)
  if (parts.length !== 2) return `found ${idPlaceholder} ${parts.length - 1} times`
  return /[{}]/.test(parts.join('')) ? 'found another { or }' : undefined
}
