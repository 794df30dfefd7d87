/** Tests a list of seeds in CSV. */
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from '@jest/globals'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { cities, linesIn } from './support/batch.ts'
import { theError } from './support/facts.ts'
import { firstLine, openWorkflowRun } from './support/workflow-run.ts'

const csv = '\ufeffcity;plz\r\nUlm;089073\r\n"Xanadu; the ""first""";\r\nBern;3000\r\n'
const failed = { city: 'Xanadu; the "first"', plz: '' }
const seeds = [{ city: 'Ulm', plz: '089073' }, failed, { city: 'Bern', plz: '3000' }]

it('a run is started for each row, a re-run keeps what succeeded, and the failed seeds can be fed back', async () => {
  await using automations = await makeAutomations(cities)
  await using run = await openWorkflowRun({ automations: automations.folder })
  await using workspace = await makeTemporaryFolder()
  const file = path.join(workspace.path, 'Customers.CSV')
  await writeFile(file, csv)
  const scenario = (seedsFile: string) => ({
    action: 'batch' as const,
    automation: 'cities',
    inputs: { 'seeds-file': seedsFile, label: 'city', 'max-parallel': '1' },
    workspace: workspace.path,
  })
  await using first = await run.attempt(1, scenario('Customers.CSV'))
  expect(
    run.sandbox.executions.map(({ seedText = '' }) => JSON.parse(seedText) as unknown),
  ).toEqual(seeds)
  expect(first.outputs).toMatchObject({ succeeded: '2', failed: '1' })
  expect(first.summary).toContain('Xanadu; the &quot;first&quot;')

  await using second = await run.attempt(2, scenario('Customers.CSV'))
  expect(firstLine(second)).toContain('3 runs: 2 succeeded (kept), 1 to start')
  expect(
    run.sandbox.executions.slice(3).map(({ seedText = '' }) => JSON.parse(seedText) as unknown),
  ).toEqual([failed])

  const failedFile = second.outputs['failed-seeds-file'] ?? ''
  expect(linesIn(await readFile(failedFile, 'utf8'))).toEqual([failed])
  await using third = await run.attempt(3, scenario(failedFile))
  expect(firstLine(third)).toContain('1 run')
  expect(
    run.sandbox.executions.slice(4).map(({ seedText = '' }) => JSON.parse(seedText) as unknown),
  ).toEqual([failed])

  await writeFile(file, `${csv}Rome\r\n`)
  await using broken = await run.attempt(1, scenario('Customers.CSV'))
  expect(theError(broken).message).toContain(
    'seeds-file: in "Customers.CSV": expected CSV, found 1 cell for 2 names at line 5, column 1',
  )
  expect(run.starts).toBe(5)
})
