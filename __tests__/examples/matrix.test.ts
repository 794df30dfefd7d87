import { expect, it } from '@jest/globals'
import { describeSteps, runStep } from './harness/workflow.ts'

interface Report {
  /** The name of the folder below `reports`. */
  folder: string
  conclusion: string
  /** The text of result.json. Undefined if there is no file. */
  result?: string
}

/** Merges folders such as actions/download-artifact creates. */
async function merge(reports: Report[]) {
  const files: Record<string, string> = {}
  for (const { folder, conclusion, result } of reports) {
    files[`reports/${folder}/execution.json`] = JSON.stringify({ conclusion })
    if (result !== undefined) files[`reports/${folder}/result.json`] = result
  }
  const step = await runStep('matrix.yml', 'Merge them into one list', { files })
  const merged = step.files['merged.json']?.toString() ?? ''
  return {
    exitCode: step.exitCode,
    merged: merged === '' ? undefined : (JSON.parse(merged) as unknown),
  }
}

const north: Report = { folder: 'report-north-1', conclusion: 'success', result: '{"a":1}' }
const south: Report = { folder: 'report-south-1', conclusion: 'success', result: '"$(id) `id`\\n"' }

describeSteps("a matrix's results", () => {
  it('become one list if there is only one report, which has no folder of its own', async () => {
    expect(await merge([{ ...north, folder: '.' }])).toEqual({ exitCode: 0, merged: [{ a: 1 }] })
  })

  it.each(['error', 'success'])(
    'are those of the newest attempt, if the run of an earlier one ended with %s',
    async (conclusion) => {
      const earlier = [1, 2, 9].map((attempt) => {
        return { folder: `report-north-${attempt}`, conclusion, result: '{"half":true}' }
      })
      const newest = { ...north, folder: 'report-north-10' }
      const merged = [{ a: 1 }, '$(id) `id`\n']
      expect(await merge([...earlier, newest, south])).toEqual({ exitCode: 0, merged })
    },
  )

  it('stay apart, also if a region ends with a number', async () => {
    const regions = ['a-1-1', 'a-2-1'].map((name, index) => {
      return { folder: `report-${name}`, conclusion: 'success', result: `${index}` }
    })
    expect(await merge(regions)).toEqual({ exitCode: 0, merged: [0, 1] })
  })

  it.each([
    ['is no JSON', [north, { ...south, result: 'text' }]],
    ['has no file', [north, { folder: south.folder, conclusion: 'success' }]],
  ])('fail the job if one %s', async (_, reports) => {
    expect((await merge(reports)).exitCode).not.toBe(0)
  })
})
