import { describe, expect, it } from '@jest/globals'
import { describeResult } from '../../scripts/start/report.ts'

const step = {
  exitCode: 0,
  signal: null,
  duration: 1234,
  outputs: {},
  annotations: [],
  artifacts: [],
  temp: '/tmp/step',
}

describe('the report of npm start', () => {
  it('shows an output in one line that cannot steer the terminal', () => {
    const outputs = { log: 'a\n"b"\u001b[2J\u009b\u202e' }
    expect(describeResult({ ...step, outputs }, undefined)).toContain(
      '  log  a\\n"b"\\u001b[2J??\n',
    )
  })
})
