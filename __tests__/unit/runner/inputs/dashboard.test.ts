import { describe, expect, it } from '@jest/globals'
import { dashboard, dashboardOfExecution } from '../../../../src/runner/inputs/dashboard.ts'
import { problemsOf } from './outcome.ts'

const known =
  'expected an https address with {execution-id}, and optionally {project} and {automation} after the host'

describe('the address of a run in the dashboard', () => {
  it.each(['https://a.example/{project}/{automation}?run={execution-id}', undefined])(
    'may be %s',
    (text) => {
      expect(dashboard.parse({ 'dashboard-url': text ?? '' })).toBe(text)
    },
  )

  it.each([
    ['https://a.example/runs', `${known}, found no {execution-id}`],
    ['https://a.example/{execution-id}/{run}/{}', `${known}, found also "{run}", "{}"`],
    [
      'https://a.example/{{execution-id}}',
      `${known}, found a brace that belongs to no placeholder`,
    ],
    ['https://a.example/{execution-id}?run={', `${known}, found a brace that belongs to no`],
    ['https://a.example/}{execution-id}', `${known}, found a brace that belongs to no`],
    ['https://{project}.a.example/{execution-id}', `${known}, found a placeholder, user`],
    ['https://user:pass@a.example/{execution-id}', `${known}, found a placeholder, user`],
    ['http://a.example/{execution-id}', `${known}, found http://`],
    ['http://localhost/{execution-id}', `${known}, found http://`],
    ['a.example/{execution-id}', `${known}, found something else`],
  ])('is not %s', async (text, problem) => {
    expect(await problemsOf(dashboard, { 'dashboard-url': text })).toEqual([
      expect.stringContaining(problem),
    ])
  })

  it('has only the id if no more is known', async () => {
    const given = { 'dashboard-url': 'https://a.example/{project}/{execution-id}' }
    expect(await problemsOf(dashboardOfExecution, given)).toEqual([
      'expected an https address with {execution-id} after the host, found also "{project}"',
    ])
  })
})
