/** Outputs and files of batches whose labels are many, long, equal or no letters. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSandbox } from '../../sandbox/service/sandbox.ts'
import { makeTemporaryFolder } from '../support/temporary-folder.ts'
import { makeAutomations } from './support/automations.ts'
import { cities, linesIn, seedsOf } from './support/batch.ts'
import { runAction } from './support/run-action.ts'

const action = 'batch'
const automation = 'cities'
const tooLarge = 'The output results is over 256 KiB, and so is empty: use results-file.'

describe('the output results', () => {
  it('of more than 256 KiB is empty, which the log says; the file has all', async () => {
    await using folder = await makeTemporaryFolder()
    await using sandbox = await openSandbox()
    // Refused at once: a hundred runs would take their time.
    sandbox.faults.inject({ on: 'start', fault: 'status', status: 400, times: 'always' })
    const file = path.join(folder.path, 'seeds.json')
    await writeFile(file, seedsOf(...Array.from({ length: 100 }, () => '€'.repeat(1_000))))
    const inputs = { 'seeds-file': file, label: 'city', 'fail-on': '' }
    await using step = await runAction({ sandbox, action, automation, inputs })

    expect(step.outputs).toMatchObject({ results: '', failed: '100', total: '100' })
    expect(step.log.split(tooLarge)).toHaveLength(2)
    const results = await readFile(step.outputs['results-file'] ?? '', 'utf8')
    expect(linesIn(results)).toHaveLength(100)
  })
})

describe('the folders of runs', () => {
  it('are apart where labels are equal or of emoji; the label itself goes on as it is', async () => {
    const labels = ['Bern', 'Bern', '😀', '👩‍👩‍👧', 'Köln 🎉']
    await using automations = await makeAutomations(cities)
    await using sandbox = await openSandbox({ automations: automations.folder })
    const inputs = { seeds: seedsOf(...labels), label: 'city' }
    await using step = await runAction({ sandbox, action, automation, inputs })
    const entries = await readdir(step.outputs['folder'] ?? '', { withFileTypes: true })
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)

    expect(folders.toSorted()).toEqual(['1-Bern', '2-Bern', '3', '4', '5-Koln'])
    expect(JSON.parse(step.outputs['results'] ?? '')).toMatchObject(
      labels.map((label, index) => ({
        label,
        result_file: `${folders.toSorted()[index]}/result.json`,
      })),
    )
    expect(step.log).not.toContain(tooLarge)
  })
})
