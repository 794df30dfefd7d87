import { describe, expect, it } from '@jest/globals'
import { parse } from 'yaml'
import { addRedSteps } from '../../scripts/test-workflows/red-steps.ts'

describe('a workflow whose assertions are seen red', () => {
  it('has a failing copy of each assertion for each value that it looks at', () => {
    const workflow = `
on: push
jobs:
  report:
    steps:
      - uses: ./
      - name: It passed
        env: { OUTCOME: success, COUNT: 3 }
        run: test "$OUTCOME$COUNT" = success3
      - run: npm ci
      - id: hands-on
        env: { FILE: a.json }
        run: cat "$FILE" >> "$GITHUB_OUTPUT"
`
    expect(parse(addRedSteps(workflow))).toEqual({
      on: 'push',
      jobs: {
        report: {
          steps: [
            { uses: './' },
            {
              name: 'It passed',
              env: { OUTCOME: 'success', COUNT: 3 },
              run: 'test "$OUTCOME$COUNT" = success3',
            },
            {
              name: 'It passed: not with a wrong OUTCOME',
              env: { OUTCOME: 'wrong', COUNT: 3 },
              run: 'test "$OUTCOME$COUNT" = success3',
              'continue-on-error': true,
            },
            {
              name: 'It passed: not with a wrong COUNT',
              env: { OUTCOME: 'success', COUNT: 'wrong' },
              run: 'test "$OUTCOME$COUNT" = success3',
              'continue-on-error': true,
            },
            { run: 'npm ci' },
            { id: 'hands-on', env: { FILE: 'a.json' }, run: 'cat "$FILE" >> "$GITHUB_OUTPUT"' },
          ],
        },
      },
    })
  })
})
