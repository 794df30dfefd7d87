/** Reads the output of the bundles from the snapshots of the tests. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { z } from 'zod'
import { root } from './action-files.ts'

/** Returns the snapshots of a file by test. A snapshot file is a program that fills `exports`. */
export async function readSnapshots(name: string): Promise<Map<string, string>> {
  const file = `__tests__/transcript/__snapshots__/${name}.test.ts.snap`
  const exports: Record<string, unknown> = {}
  runInContext(await readFile(path.join(root, file), 'utf8'), createContext({ exports }))
  const texts = Object.entries(exports)
  return new Map(
    texts.map(([test, text]) => [test.replace(/^.*: | 1$/g, ''), z.string().parse(text)]),
  )
}
