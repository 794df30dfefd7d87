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
  it('shows what the workflow gets', () => {
    const artifact = {
      name: 'word-report-1',
      id: 4242,
      files: { 'result.json': Buffer.alloc(3 * 1024 * 1024), 'run.log': Buffer.alloc(10) },
    }
    const outputs = { conclusion: 'success', 'execution-id': 'abc' }
    const annotations = [{ level: 'warning' as const, message: 'slow\nservice' }]
    const text = describeResult(
      { ...step, outputs, annotations, artifacts: [artifact] },
      '/tmp/step/summary.md',
    )
    expect(text).toBe(`
The step ended with exit code 0 after 1.2 s.

Outputs
  conclusion    success
  execution-id  abc

Annotations
  warning  slow\\nservice

Artifact word-report-1 (id 4242)
  result.json  3.0 MiB
  run.log      10 bytes

Summary   /tmp/step/summary.md
Files     /tmp/step (kept; remove it when you have seen enough)
`)
  })

  it('lists the files of an artifact by name, whatever their order in the archive', () => {
    const files = { 'run.log': Buffer.alloc(1), 'execution.json': Buffer.alloc(2) }
    const artifacts = [{ name: 'report', id: 1, files }]
    expect(describeResult({ ...step, artifacts }, undefined)).toContain(
      'Artifact report (id 1)\n  execution.json  2 bytes\n  run.log         1 bytes\n',
    )
  })

  it('shortens long outputs and says how long they are', () => {
    const text = describeResult({ ...step, outputs: { result: 'x'.repeat(2048) } }, undefined)
    expect(text).toContain(`  result  ${'x'.repeat(100)}… (2.0 KiB)\n`)
  })

  it('shows an output in one line that cannot steer the terminal', () => {
    const outputs = { log: 'a\n"b"\u001b[2J\u009b\u202e' }
    expect(describeResult({ ...step, outputs }, undefined)).toContain(
      '  log  a\\n"b"\\u001b[2J??\n',
    )
  })

  it('says when there is nothing', () => {
    const text = describeResult({ ...step, exitCode: null, signal: 'SIGKILL' }, undefined)
    expect(text).toMatch(
      /exit code SIGKILL.*\n\nOutputs\n {2}none\n\nAnnotations\n {2}none\n\nNo artifact\n\nNo summary\n/,
    )
  })
})
