import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { runFolderName, writeRunRecord } from '../../../../src/messages/batch/run-folder.ts'
import { Secrets } from '../../../../src/messages/text/secrets.ts'
import { workflowRunOf } from '../../../../src/runner/workflow-run.ts'
import { reportOf } from '../../../support/execution-report.ts'
import { hostileText } from '../../../support/hostile-text.ts'
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts'

const asItIs = (text: string) => text

describe("the name of a run's folder", () => {
  it.each([
    ['Berlin', '12-Berlin'],
    [undefined, '12'],
    ['', '12'],
    ['São Paulo / Zürich', '12-Sao-Paulo-Zurich'],
    ['東京', '12'],
    ['🎉', '12'],
    ['Köln 👩‍👩‍👧 🇩🇪', '12-Koln'],
    ['👍🏽-ok', '12-ok'],
    ['../../etc/passwd', '12-etc-passwd'],
    ['C:\\Windows\\..', '12-C-Windows'],
    ['con', '12-con'],
    ['..hidden..', '12-hidden'],
    ['a'.repeat(100), `12-${'a'.repeat(57)}`],
    [`${'a'.repeat(56)}-b`, `12-${'a'.repeat(56)}`],
  ])('for %j is %s', (label, name) => {
    expect(runFolderName(11, label, asItIs)).toBe(name)
  })

  it('is safe on every system and tells its number, whatever the label is', () => {
    fc.assert(
      fc.property(hostileText, fc.nat(10_000), (label, index) => {
        const name = runFolderName(index, label, asItIs)
        expect(name).toMatch(/^\d+(?:-[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/)
        expect(name).not.toContain('..')
        expect(name.length).toBeLessThanOrEqual(60)
        expect(parseInt(name)).toBe(index + 1)
      }),
    )
  })

  it('has nothing of a secret, also where the cut goes through it', () => {
    const secrets = new Secrets(() => undefined)
    secrets.add('correct-horse')
    const label = `${'x'.repeat(50)}correct-horse`

    expect(runFolderName(0, label, (text) => secrets.show(text))).toBe(`1-${'x'.repeat(50)}`)
  })

  it('holds the record of the execution', async () => {
    await using folder = await makeTemporaryFolder()
    const own = path.join(folder.path, runFolderName(0, 'Berlin', asItIs))
    await mkdir(own)
    await writeRunRecord(own, reportOf(), workflowRunOf({}), asItIs)

    expect(JSON.parse(await readFile(path.join(own, 'execution.json'), 'utf8'))).toMatchObject({
      execution_id: '3fa85f64',
      conclusion: 'success',
    })
  })
})
