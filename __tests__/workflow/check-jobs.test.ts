import { describe, expect, it } from '@jest/globals'
import { expectOf } from '../../scripts/test-workflows/expectation.ts'
import { ActRecord } from '../../scripts/test-workflows/record.ts'
import { checkSecrets } from '../../scripts/test-workflows/secrets.ts'
import { checkJobs, checkCutOff } from '../../scripts/test-workflows/check-jobs.ts'

const workflow = {
  jobs: {
    report: {
      steps: [
        { uses: 'actions/checkout@v7' },
        { id: 'run', name: 'Run', uses: './', 'continue-on-error': true },
        { name: 'Tell', run: 'echo' },
      ],
    },
  },
}

interface Line {
  stepID?: string
  stepResult?: string
  jobResult?: string
  stage?: string
  msg?: string
}

/** Lines as act writes them with `--json`, of one job. */
function record(lines: Line[], job = { job: 'Reports/report   ', jobID: 'report' }) {
  const written = new ActRecord()
  for (const { stepID, ...line } of lines) {
    const ids = stepID === undefined ? {} : { stepID: [stepID], stage: line.stage ?? 'Main' }
    written.add(JSON.stringify({ ...job, ...line, ...ids }))
  }
  return written
}

const good: Line[] = [
  { stepID: '0', stepResult: 'success' },
  { stepID: 'run', stepResult: 'failure' },
  { stepID: '2', stepResult: 'success' },
  { jobResult: 'success' },
]

const problemsOf = (lines: Line[], skipped: string[] = []) =>
  checkJobs(expectOf(workflow, { skipped }), record(lines).jobs.values()).problems

describe('a workflow that did as expected', () => {
  it('is listed job by job and step by step', () => {
    expect(checkJobs(expectOf(workflow), record(good).jobs.values())).toEqual({
      problems: [],
      passed: [
        'Reports/report',
        '  ✓ actions/checkout@v7',
        '  ✓ Run (failed, as it should)',
        '  ✓ Tell',
      ],
    })
  })
})

describe('a workflow misbehaves when', () => {
  it('a step fails, and its last lines are shown', () => {
    const lines = good.with(2, { stepID: '2', stepResult: 'failure', msg: '+ test a = b' })
    expect(problemsOf(lines)).toEqual([
      'Reports/report / Tell: failure, expected success\n    + test a = b',
    ])
  })

  it('a step passes that must fail', () => {
    expect(problemsOf(good.with(1, { stepID: 'run', stepResult: 'success' }))).toEqual([
      'Reports/report / Run: success, expected failure',
    ])
  })

  it('a step does not run', () => {
    expect(problemsOf(good.toSpliced(2, 1))).toEqual([
      'Reports/report / Tell: did not run, expected success',
    ])
  })

  it('a step runs that must not', () => {
    expect(problemsOf(good, ['Tell'])).toEqual([
      'Reports/report / Tell: success, expected not to run',
    ])
  })

  it('the job fails, or never ends', () => {
    expect(problemsOf(good.with(3, { jobResult: 'failure' }))).toEqual([
      'Reports/report: the job ended with failure',
    ])
    expect(problemsOf(good.slice(0, 3))).toEqual(['Reports/report: the job ended with nothing'])
  })

  it('a job does not run', () => {
    expect(checkJobs(expectOf(workflow), []).problems).toEqual(['Job report: 0 of it ran, not 1'])
  })

  it('a job runs that must not', () => {
    const expected = expectOf(workflow, { skippedJobs: ['report'] })
    expect(checkJobs(expected, [])).toEqual({ passed: [], problems: [] })
    expect(checkJobs(expected, record(good).jobs.values()).problems).toEqual([
      'Job report: 1 of it ran, not 0',
    ])
  })
})

describe('a workflow that is cut off', () => {
  const text = 'Saved'
  const problemsOf = (lines: Line[], isCut: boolean) =>
    checkCutOff([...record(lines).jobs.values()], { text, isCut }).problems

  it('got as far as it should, and no further', () => {
    expect(problemsOf([{ stepID: 'run', msg: 'Saved' }], true)).toEqual([])
    expect(problemsOf([{ jobResult: 'failure' }], true)).toEqual([])
  })

  it('misbehaves when a job succeeds all the same', () => {
    expect(problemsOf(good, true)).toEqual([
      'Reports/report: the job succeeded, and was to be cut off',
    ])
  })

  it('misbehaves when the line never comes, and its last lines are shown', () => {
    expect(problemsOf([{ stepID: 'run', msg: 'Wait' }], false)).toEqual([
      'No line had “Saved”\n    Wait',
    ])
  })
})

describe('a credential', () => {
  const problems = (stepID: string) =>
    checkSecrets(record([{ stepID, msg: 'token s3cret' }]).jobs.values(), ['s3cret']).problems

  it("in a step's log is found", () => {
    expect(problems('run')).toEqual(['Reports/report / run: its log shows a credential'])
  })

  it('may be handed over by the sandbox', () => {
    expect(problems('sandbox')).toEqual([])
  })
})
