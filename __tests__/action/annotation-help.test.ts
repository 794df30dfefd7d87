/** From the annotation of a step to the entry of the page that explains it. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { root } from '../../scripts/docs/action-files.ts'
import type { FaultInput } from '../../sandbox/service/faults.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { anchorOf } from '../support/anchor.ts'
import { annotationsOf, theError, type ToldAnnotation } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const page = readFileSync(path.join(root, 'docs', 'troubleshooting.md'), 'utf8')

/** The entry of an annotation, from its heading to the next one. */
function textOf(annotation: ToldAnnotation): string {
  const [, after = ''] = page.split(`\n### ${entryOf(annotation)}\n`)
  return after.split(/\n##/, 1)[0] ?? ''
}

/** The entry's heading. @throws Error where the address leads to none. */
function entryOf({ help }: ToldAnnotation): string {
  const [address, anchor] = help.split('#')
  expect(address).toBe(
    'https://github.com/run-automation/run-automation/blob/v1/docs/troubleshooting.md',
  )
  const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)
  const found = headings.find((heading) => anchorOf(heading) === anchor)
  if (found === undefined) throw new Error(`${help} leads nowhere`)
  return found
}

describe('the last line of an annotation is the address of its entry', () => {
  it('of a refused start, however long the words of the service are', async () => {
    await using sandbox = await openSandbox()
    const body = JSON.stringify({ detail: 'Help: https://example.org/ \n'.repeat(9_000) })
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 401, body })
    await using step = await runAction({ sandbox })
    expect(entryOf(theError(step))).toBe('was not started')
  })

  it.each<[string, FaultInput]>([
    ['401', { on: 'start', fault: 'status', status: 401 }],
    ['403', { on: 'start', fault: 'status', status: 403 }],
    ['404', { on: 'start', fault: 'status', status: 404 }],
    ['429', { on: 'start', fault: 'status', status: 429, headers: { 'retry-after': '300' } }],
    [
      '503, later',
      { on: 'start', fault: 'status', status: 503, headers: { 'retry-after': '300' } },
    ],
    ['503', { on: 'start', fault: 'status', status: 503 }],
    ['a redirect', { on: 'start', fault: 'redirect', status: 301 }],
    ['a redirect to a web page', { on: 'start', fault: 'redirect', status: 302 }],
    ['a web page', { on: 'start', fault: 'html' }],
  ])('of a start that gets %s; the entry quotes these words', async (_, fault) => {
    await using sandbox = await openSandbox()
    sandbox.faults.inject(fault)
    await using step = await runAction({ sandbox, action: 'start' })
    const error = theError(step)
    const [words] = /^.*the service answered \d+/i.exec(error.message) ?? []
    expect(words).toBeDefined()
    expect(textOf(error)).toContain(words)
  })

  it('of wrong inputs, in each action', async () => {
    await using sandbox = await openSandbox()
    for (const action of [undefined, 'start', 'wait', 'batch', 'create-project'] as const) {
      await using step = await runAction({
        sandbox,
        ...(action && { action }),
        inputs: { 'base-url': 'nowhere' },
      })
      expect(entryOf(theError(step))).toBe('Invalid input')
    }
  })

  it('of a notice', async () => {
    await using sandbox = await openSandbox({ keep: false })
    await using step = await runAction({ sandbox })
    const [notice] = annotationsOf(step, 'notice')
    expect(notice && entryOf(notice)).toBe("The automation isn't set to keep")
  })
})
