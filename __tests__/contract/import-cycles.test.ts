import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import ts from 'typescript'
import { root } from '../../scripts/docs/action-files.ts'

type Graph = ReadonlyMap<string, readonly string[]>

/** Returns the relative imports of each file, including type imports and dynamic imports. */
function importsOf(files: readonly string[]): Graph {
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(path.join(root, file), 'utf8'))
      const relative = importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      return [file, relative.map(({ fileName }) => path.join(path.dirname(file), fileName))]
    }),
  )
}

/** Returns the files that can be reached from themselves. */
function filesInCycles(graph: Graph): string[] {
  return [...graph.keys()].filter((start) => {
    const reached = new Set(graph.get(start))
    // The iteration of a set includes elements that are added during the iteration.
    for (const file of reached) for (const next of graph.get(file) ?? []) reached.add(next)
    return reached.has(start)
  })
}

describe('import cycles', () => {
  it('are found, whatever their length', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['b']],
      ['e', ['e']],
      ['f', ['a']],
      ['g', []],
    ])
    expect(filesInCycles(graph)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it.each([
    ...['actions', 'runner', 'messages', 'execution', 'download', 'service'].map(
      (of) => `src/${of}`,
    ),
    ...['sandbox', 'scripts'],
  ])('are not in %s', (folder) => {
    const graph = importsOf(globSync('{src,sandbox,scripts}/**/*.ts', { cwd: root }))
    const inFolder = (file: string) => file.startsWith(path.join(folder, path.sep))
    expect([...graph.keys()].filter(inFolder).length).toBeGreaterThan(5)
    expect(filesInCycles(graph).filter(inFolder)).toEqual([])
  })
})
