/** Tests the input `dashboard-url`, which sets the address of the links to a run. */
import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { openArtifactService } from '../../sandbox/runner/artifact-service.ts'
import type { StepResult } from '../../sandbox/runner/runner.ts'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeAutomations } from './support/automations.ts'
import { cities, linesIn, seedsOf } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { runAction } from './support/run-action.ts'

const page = 'https://dashboard.example/runs/'
const inputs = { 'dashboard-url': `${page}{execution-id}/log` }

/** Returns the link in the job summary. */
const anchor = (url: string, id: string) => `<a href="${url}"><code>${id}</code></a>`

/** Returns the texts of a step that people see: log, job summary and annotations. */
const shown = (step: StepResult) =>
  [step.log, step.summary, ...step.annotations.map(({ message }) => message)].join('\n')

it('log, annotation, job summary, execution.json and execution-url link to a run that failed', async () => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  const given = { ...inputs, 'upload-artifact': 'true' }
  const scenario = { sandbox, automation: 'broken-report', inputs: given, artifactService }
  await using step = await runAction(scenario)
  const { 'execution-id': id = '', 'execution-url': url } = step.outputs
  const link = `${page}${id}/log`
  const record = JSON.parse(String(step.artifacts[0]?.files['execution.json'])) as object
  expect(url).toBe(link)
  expect(step.log.split('\n')).toContain(`Run: ${link}`)
  expect(theError(step).message.split('\n').at(-1)).toBe(`Run: ${link}`)
  expect(step.summary).toContain(anchor(link, id))
  expect(record).toMatchObject({ execution_url: link })
})

it('start links to the run', async () => {
  await using sandbox = await openSandbox()
  await using step = await runAction({ sandbox, action: 'start', inputs })
  const { 'execution-id': id = '', 'execution-url': url } = step.outputs
  expect(url).toBe(`${page}${id}/log`)
  expect(step.log.split('\n')).toContain(`Run: ${url}`)
})

it('wait links to the run by its encoded id, before the first check', async () => {
  await using sandbox = await openSandbox()
  const given = { 'execution-id': 'a b&c', 'dashboard-url': `${page}?id={execution-id}&"><b>` }
  await using step = await runAction({
    sandbox,
    action: 'wait',
    inputs: { ...given, timeout: '0s' },
  })
  const link = `${page}?id=a%20b%26c&"><b>`
  expect(step.outputs['execution-url']).toBe(link)
  expect(step.log.indexOf(`Run: ${link}`)).toBeLessThan(step.log.indexOf('▶ Wait'))
  const escaped = `${page}?id=a%20b%26c&amp;%22%3E%3Cb%3E`
  expect(step.summary).toContain(anchor(escaped, 'a b&amp;c'))
})

it('a batch links to each run in the job summary and in results-file, not in log and annotation', async () => {
  await using automations = await makeAutomations(cities)
  await using sandbox = await openSandbox({ automations: automations.folder })
  const given = { ...inputs, seeds: seedsOf('Berlin', 'Xanadu') }
  const scenario = { sandbox, action: 'batch', automation: 'cities', inputs: given } as const
  await using step = await runAction(scenario)
  const ids = sandbox.executions.map(({ id }) => id)
  const links = ids.map((id) => `${page}${id}/log`)
  const results = linesIn(await readFile(step.outputs['results-file'] ?? '', 'utf8'))
  expect(results.map((line) => (line as { execution_url: string }).execution_url).sort()).toEqual(
    links.toSorted(),
  )
  for (const link of links) expect(step.summary).toContain(`<a href="${link}">`)
  expect([step.log, theError(step).message].join('\n')).not.toContain(page)
})

it('there is no link without an id', async () => {
  await using sandbox = await openSandbox()
  sandbox.faults.inject({ on: 'start', fault: 'status', status: 400, times: 'always' })
  await using step = await runAction({ sandbox, inputs })
  expect(step.outputs['conclusion']).toBe('refused')
  expect(step.outputs['execution-url'] ?? '').toBe('')
  expect(shown(step)).not.toContain(page)
})

it('a secret in the link is hidden in all texts, and stays in the output, which is an address', async () => {
  await using sandbox = await openSandbox()
  await using artifactService = await openArtifactService()
  const { apiKey } = sandbox
  const given = { 'dashboard-url': `${page}${apiKey}/{execution-id}`, 'upload-artifact': 'true' }
  const scenario = { sandbox, automation: 'broken-report', inputs: given, artifactService }
  await using step = await runAction(scenario)
  const { 'execution-id': id = '', 'execution-url': url } = step.outputs
  const record = String(step.artifacts[0]?.files['execution.json'])
  expect(url).toBe(`${page}${apiKey}/${id}`)
  expect(step.log + step.summary + record).not.toContain(apiKey)
  for (const text of [step.log, step.summary, theError(step).message, record]) {
    expect(text).toContain(`${page}***/${id}`)
  }
})
