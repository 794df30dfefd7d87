import { describe, expect, it } from '@jest/globals'
import { readActionFile } from '../../sandbox/runner/action-file.ts'
import { evaluateExpressions } from '../../sandbox/runner/expressions.ts'

const { defaults } = await readActionFile('start')
const shaOn = (event_name: string, event: object = {}) =>
  evaluateExpressions(defaults['commit-sha'] ?? '', { github: { event_name, event, sha: 'event' } })

describe('the default of commit-sha', () => {
  it.each([
    ['push', 'event'],
    ['release', 'event'],
    ['merge_group', 'event'],
    ['repository_dispatch', ''],
    ['workflow_dispatch', ''],
    ['schedule', ''],
    ['issue_comment', ''],
  ])('on %s: "%s"', (event, sha) => {
    expect(shaOn(event)).toBe(sha)
  })

  it('is the head commit if the event names one', () => {
    expect(shaOn('pull_request_target', { pull_request: { head: { sha: 'head' } } })).toBe('head')
    expect(shaOn('workflow_run', { workflow_run: { head_sha: 'head' } })).toBe('head')
  })
})
