import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { actionFiles, readActionFiles, root } from '../../scripts/docs/action-files.ts'
import { ref } from '../../src/version.ts'
import { findProblems } from './language-service.ts'

const actions = await readActionFiles()
const patterns = [
  'action.yml',
  '*/action.yml',
  '.github/workflows/*.{yml,yaml}',
  'examples/**/*.{yml,yaml}',
]
const files: string[] = []
for await (const file of glob(patterns, { cwd: root, exclude: ['node_modules'] })) files.push(file)

describe("GitHub's own language service", () => {
  it('checks every action.yml', () => {
    expect(files.map((file) => file.split(path.sep).join('/'))).toEqual(
      expect.arrayContaining(Object.values(actionFiles)),
    )
  })

  it.each(files)('finds nothing wrong with %s', async (file) => {
    expect(await findProblems(path.join(root, file), actions)).toEqual([])
  })
})

describe('an example with syntax that act 0.2.87 refuses', () => {
  it('says so in its first lines, with a link to the page of GitHub', async () => {
    const refused: Record<string, string> = {}
    for (const file of files.filter((file) => file.startsWith('examples'))) {
      const text = await readFile(path.join(root, file), 'utf8')
      const [, keyword] = /^ +(background|deployment): /m.exec(text) ?? []
      const [header = ''] = text.split(/^name:/m)
      if (keyword === undefined) continue
      const isSaid = RegExp(`act 0.2.87 refuses? \`${keyword}\``).test(header)
      refused[path.basename(file)] =
        isSaid && header.includes('https://docs.github.com/') ? 'said' : keyword
    }
    expect(refused).toEqual({
      'background-step.yml': 'said',
      'check-again.yml': 'said',
      'wait-timer.yml': 'said',
    })
  })
})

/** Returns a workflow with these steps. The steps must have the indentation of a job's steps. */
const workflow = (steps: string) => `on: push
jobs:
  report:
    runs-on: ubuntu-latest
    steps:
${steps}`

describe("the README's first step and its complete workflow", () => {
  it('are correct when they are pasted', async () => {
    const readme = await readFile(path.join(root, 'README.md'), 'utf8')
    const [step = '', whole = ''] = Array.from(
      readme.matchAll(/```yaml\n(.*?)```/gs),
      ([, code = '']) => code,
    )
    const pasted = { step: workflow(step.replaceAll(/^/gm, '      ')), whole }

    for (const [name, text] of Object.entries(pasted)) {
      // The language service keeps what it has read, by the name of the file.
      const file = path.join(root, '.github', 'workflows', `pasted-${name}.yml`)
      expect(text).toContain(`uses: run-automation/run-automation@${ref}\n`)
      expect(await findProblems(file, actions, text)).toEqual([])
    }
  })
})

describe('the example on the page of an action', () => {
  it.each(Object.keys(actionFiles))('is correct when it is pasted: %s', async (action) => {
    const page = await readFile(path.join(root, 'docs', 'reference', `${action}.md`), 'utf8')
    const [, steps = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
    const file = path.join(root, '.github', 'workflows', `pasted-${action}.yml`)
    const name = `run-automation/run-automation${action === 'run' ? '' : `/${action}`}@${ref}`

    expect(steps).toContain(`uses: ${name}\n`)
    expect(await findProblems(file, actions, workflow(steps.replaceAll(/^/gm, '      ')))).toEqual(
      [],
    )
  })
})

describe('the language service itself', () => {
  const start = (inputs: string) => `
      - id: start
        uses: ./start
        with:
          base-url: https://automations.example.com
          api-token: \${{ secrets.API_TOKEN }}
          api-key: \${{ secrets.API_KEY }}
          project: shop
          ${inputs}
`

  it.each([
    [
      'an unknown input',
      start('automation: report\n          timeout: 1h'),
      ["Invalid action input 'timeout'"],
    ],
    ['a missing input', start('seed: "{}"'), ['Missing required input `automation`']],
    [
      'an unknown output',
      `${start('automation: report')}      - run: echo "\${{ steps.start.outputs.result }}"`,
      ['Context access might be invalid: result'],
    ],
  ])('finds %s', async (name, steps, expected) => {
    const file = path.join(root, '.github', 'workflows', `${name.replaceAll(' ', '-')}.yml`)
    const problems = await findProblems(file, actions, workflow(steps))
    const messages = problems.map((problem) => problem.replace(/^line \d+: /, ''))
    expect(messages).toEqual(expected)
  })
})
