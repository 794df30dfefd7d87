import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { annotationsOf, theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'
import { firstLine, idOf, openWorkflowRun } from './support/workflow-run.ts'

const notEmpty = '{"type": "array", "minItems": 1}'
const rows = JSON.stringify({
  type: 'array',
  items: { type: 'object', required: ['price'], properties: { price: { type: 'number' } } },
})

async function returned(body: string, inputs: Record<string, string>) {
  const automations = await makeAutomations({ scraper: body })
  const sandbox = await openSandbox({ automations: automations.folder })
  const step = await runAction({ sandbox, automation: 'scraper', inputs })
  return {
    step,
    sandbox,
    [Symbol.asyncDispose]: async () => {
      for (const each of [step, sandbox, automations]) await each[Symbol.asyncDispose]()
    },
  }
}

describe('a result that does not match its schema', () => {
  it('fails the step, and is published', async () => {
    const inputs = { 'result-schema': notEmpty, 'upload-artifact': 'true' }
    await using run = await returned('return []', inputs)
    const { step, sandbox } = run
    const id = sandbox.executions[0]?.id ?? '?'

    expect([step.exitCode, step.annotations.length]).toEqual([1, 1])
    expect(step.outputs).toMatchObject({
      conclusion: 'invalid-result',
      result: '[]',
      cause: 'The result: expected at least 1 item, found 0',
    })
    const { title, message } = theError(step)
    expect(title).toBe('scraper returned an invalid result')
    expect(message).toMatch(/^The result: expected at least 1 item, found 0\nIt ran for /)
    expect(message).toMatch(/\nNext: Look at the result in the artifact, .* validate this result: /)
    expect(message).toContain(`execution-id ${id}`)
    expect(step.summary).toContain('scraper returned an invalid result')
    const { files } = step.artifacts[0] ?? {}
    expect(String(files?.['result.json'])).toBe('[]')
    expect(JSON.parse(String(files?.['execution.json']))).toMatchObject({
      conclusion: 'invalid-result',
      result_problems: {
        count: 1,
        first: ['The result: expected at least 1 item, found 0'],
      },
    })
  })

  it('is checked by wait with a fixed schema, without a new run', async () => {
    await using run = await returned('return []', { 'result-schema': notEmpty })
    const { step, sandbox } = run
    const again = (schema: string) => {
      const id = step.outputs['execution-id'] ?? ''
      const inputs = { 'execution-id': id, 'result-schema': schema }
      return runAction({ sandbox, action: 'wait', inputs })
    }
    await using fixed = await again('{"type": "array"}')
    await using same = await again(notEmpty)

    expect([fixed.exitCode, fixed.outputs['conclusion']]).toEqual([0, 'success'])
    expect([same.exitCode, same.outputs['conclusion']]).toEqual([1, 'invalid-result'])
    expect(sandbox.executions).toHaveLength(1)
  })

  it('says how many problems there are, and shows the first 20', async () => {
    const body = 'return Array.from({ length: 48 }, () => ({ price: "12.50" }))'
    await using run = await returned(body, { 'result-schema': rows })
    const lines = theError(run.step).message.split('\n')

    expect(lines.slice(0, 2)).toEqual([
      '/0/price: expected a number, found "12.50"',
      'The result has 48 problems. The summary (output summary-file) has the first 20.',
    ])
    expect(lines.at(-1)).toMatch(/^Next: Look at the result \(output result-file\), /)
    expect(run.step.summary).toContain('The first 20 of 48 problems')
    expect(run.step.summary).toContain('/19/price: expected a number')
    expect(run.step.summary).not.toContain('/20/price: expected')
  })

  it('shows no values and no result with print-result: false', async () => {
    const body = `return [{ price: '12 and more', note: 'in no problem' }]`
    await using shown = await returned(body, { 'result-schema': rows })
    await using hidden = await returned(body, { 'result-schema': rows, 'print-result': 'false' })

    expect(theError(shown.step).message).toContain('found "')
    for (const text of [shown.step.log, shown.step.summary]) expect(text).toContain('in no problem')
    expect(hidden.step.outputs['cause']).toBe('A value in the result: expected a number')
    for (const text of [hidden.step.log, hidden.step.summary])
      expect(text).not.toMatch(/and more|in no problem/)
    const inputs = { 'result-schema': rows, 'print-result': 'false' }
    await using csv = await returned(
      `return { contentType: 'text/csv', body: 'name,price' }`,
      inputs,
    )
    expect(csv.step.outputs['cause']).toBe('The result: it is not JSON')
    await using nan = await returned(
      `return { contentType: 'application/json', body: '[{"price": NaN}]' }`,
      { 'result-schema': rows },
    )
    expect(nan.step.outputs['cause']).toBe(
      'The result: it is not JSON, found a text with an unexpected "N" (JSON has no NaN and no Infinity) at line 1, column 12',
    )
  })

  it('passes if fail-on does not name invalid-result, and the log names an unknown format', async () => {
    const schema = '{"type": "array", "minItems": 1, "items": {"format": "multi-host-uri"}}'
    const inputs = { 'result-schema': schema, 'fail-on': 'error' }
    await using run = await returned('return []', inputs)

    expect([run.step.exitCode, run.step.outputs['conclusion']]).toEqual([0, 'invalid-result'])
    expect(annotationsOf(run.step, 'warning')).toEqual([])
    expect(run.step.stdout).toContain('formats that are unknown are not checked: multi-host-uri')
  })
})

describe('a result that matches', () => {
  it('is a success, also if the schema is in a file', async () => {
    await using automations = await makeAutomations({ scraper: 'return [{ price: 1.5 }]' })
    await using sandbox = await openSandbox({ automations: automations.folder })
    await using checkout = await makeTemporaryFolder({ 'schemas/rows.json': `\ufeff${rows}` })
    const { path: workspace } = checkout
    const inputs = { 'result-schema': 'schemas/rows.json' }
    await using step = await runAction({ sandbox, automation: 'scraper', inputs, workspace })

    expect([step.exitCode, step.annotations]).toEqual([0, []])
    expect(step.outputs).toMatchObject({
      conclusion: 'success',
      cause: '',
      result: '[{"price":1.5}]',
    })
  })
})

it('problems of a schema are reported with those of other inputs, before anything is started', async () => {
  const schema = '{"minItms": 1, "properties": {"a": {"type": "aray"}}}'
  const inputs = { 'result-schema': schema, timeout: 'soon' }
  await using run = await returned('return []', inputs)
  const { message } = theError(run.step)

  expect([run.step.exitCode, run.sandbox.requests]).toEqual([1, []])
  expect(message).toContain('timeout: expected a duration')
  expect(message).toContain('result-schema: unknown keyword "minItms"')
  expect(message).toContain('result-schema: at /properties/a/type: expected one of ["array",')
})

describe('the success of an earlier attempt', () => {
  const two = '{"minItems": 2}'
  const reuse = { 'on-rerun': 'reuse' }
  async function openRun() {
    const automations = await makeAutomations({ scraper: 'return [1]' })
    const run = await openWorkflowRun({ automations: automations.folder })
    return {
      run,
      attempt: (attempt: number, inputs: Record<string, string>) =>
        run.attempt(attempt, { automation: 'scraper', inputs }),
      [Symbol.asyncDispose]: async () => {
        for (const each of [run, automations]) await each[Symbol.asyncDispose]()
      },
    }
  }

  it('that does not match a new schema ends invalid-result, and the next re-run starts anew', async () => {
    await using earlier = await openRun()
    const { run, attempt } = earlier
    await using first = await attempt(1, { ...reuse, 'result-schema': notEmpty })
    await using again = await attempt(2, { ...reuse, 'result-schema': notEmpty })
    await using invalid = await attempt(3, { ...reuse, 'result-schema': two })
    const startsBefore = run.starts
    await using anew = await attempt(4, { ...reuse, 'result-schema': notEmpty })

    expect([first.exitCode, again.exitCode, again.outputs['resumed']]).toEqual([0, 0, 'true'])
    expect(again.log).toContain('This step publishes its result and starts nothing.')
    const [id, next] = [idOf(run, 0), idOf(run, 1)]
    const kept = { conclusion: 'invalid-result', resumed: 'true', 'execution-id': id }
    expect([invalid.outputs, startsBefore]).toMatchObject([kept, 1])
    expect(firstLine(anew)).toContain('ended with invalid-result, and that attempt published it')
    expect(anew.outputs).toMatchObject({ conclusion: 'success', 'execution-id': next })
  })
})
