import { describe, expect, it } from '@jest/globals'
import { readActionFile } from '../../sandbox/runner/action-file.ts'
import { evaluateExpressions } from '../../sandbox/runner/expressions.ts'

const actions = await Promise.all(['start', 'wait'].map((action) => readActionFile(action)))

/** Returns the commit on an event. `github.sha` is the text `github.sha`. */
function commitOn(event_name: string, event: object = {}): string {
  const [start, wait] = actions.map(({ defaults }) => {
    const github = { event_name, event, sha: 'github.sha' }
    return evaluateExpressions(defaults['commit-sha'] ?? '', { github })
  })
  expect(start).toBe(wait)
  return start ?? ''
}

const pullRequest = { pull_request: { head: { sha: 'head' } } }

/** All events that trigger workflows, and what GitHub's documentation says of `github.sha` there. */
describe('the default of commit-sha', () => {
  // `github.sha` is the commit that the event is about.
  it.each(['push', 'merge_group', 'create', 'release', 'deployment', 'deployment_status'])(
    'is github.sha on %s',
    (event) => {
      // The payload of deployment_status may name the workflow run that deploys.
      expect(commitOn(event, { workflow_run: { head_sha: 'another' } })).toBe('github.sha')
    },
  )

  // `github.sha` is a merge commit, or the newest commit of a branch.
  it.each<[string, object]>([
    ['pull_request', pullRequest],
    ['pull_request_review', pullRequest],
    ['pull_request_review_comment', pullRequest],
    ['pull_request_target', pullRequest],
    ['workflow_run', { workflow_run: { head_sha: 'head' } }],
    ['check_run', { check_run: { head_sha: 'head' } }],
    ['check_suite', { check_suite: { head_sha: 'head' } }],
    ['status', { sha: 'head' }],
  ])('is the commit in the payload on %s', (event, payload) => {
    expect(commitOn(event, payload)).toBe('head')
  })

  // `github.sha` is the newest commit of the default branch, or of the branch that was chosen.
  it.each([
    ...['branch_protection_rule', 'delete', 'discussion', 'discussion_comment', 'fork', 'gollum'],
    ...['image_version', 'issue_comment', 'issues', 'label', 'milestone', 'page_build', 'public'],
    ...['registry_package', 'repository_dispatch', 'schedule', 'watch', 'workflow_dispatch'],
  ])('is empty on %s', (event) => {
    // An issue may be a pull request, whose payload does not have its commit.
    expect(commitOn(event, { issue: { pull_request: {} }, sha: 'another' })).toBe('')
  })

  it('is that of the calling workflow on workflow_call, which has the event of its caller', () => {
    expect(commitOn('pull_request', pullRequest)).toBe('head')
  })
})
