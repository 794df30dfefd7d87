/** Makes an annotation from a notice. */
import { cut, cutMiddle } from '../cut.ts'
import { helpLine, titles } from './catalogue.ts'
import type { Notice } from './notice.ts'
import { describeExecutionUrl } from './execution-url.ts'
import type { Show } from './text/secrets.ts'
import { flatten } from './text/untrusted-text.ts'

/** The runner's limit for the length of an annotation, in UTF-16 units before escaping. */
export const maxAnnotationLength = 4096

/**
 * The maximum lengths of the parts of an annotation. The lines of `why` share what the other parts
 * leave, so that a long cause never removes the advice, the id or a link.
 */
const limits = { title: 200, why: 400, fact: 500, advice: 700, link: 500 }

/**
 * Returns the title and the text of an annotation. Each part is redacted, then becomes one line, then
 * is cut. Addresses have lines of their own, so that untrusted text cannot extend an address.
 */
export function annotationOf(
  { name, title, why, facts, advice }: Notice,
  executionUrl: string | undefined,
  show: Show,
): { title: string; text: string } {
  const line = (text: string, limit: number) => cutMiddle(flatten(show(text)), limit)
  const link = executionUrl && describeExecutionUrl(cut(flatten(show(executionUrl)), limits.link))
  const rest = [
    ...facts.map((fact) => line(fact, limits.fact)),
    ...advice.map((words) => line(words, limits.advice)),
    ...(link ? [link] : []),
    helpLine(titles[name][1]),
  ].join('\n')
  const room = maxAnnotationLength - rest.length - 1
  const limit = Math.max(limits.why, Math.floor(room / why.length))
  const reasons = cut(why.map((words) => line(words, limit)).join('\n'), room)
  return { title: line(title, limits.title), text: `${reasons}\n${rest}` }
}
