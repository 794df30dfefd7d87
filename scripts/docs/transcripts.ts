/** What the bundles print, as the snapshots of the tests hold it, for the page that shows it. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { z } from 'zod'
import { root } from './action-files.ts'

const file = '__tests__/transcript/__snapshots__/reruns.test.ts.snap'

/** By marker: `rerun:running` for the test "running". */
export async function readTranscripts(): Promise<Map<string, string>> {
  return blocksOf(await readFile(path.join(root, file), 'utf8'))
}

/** A snapshot file is a program that fills `exports`. */
function blocksOf(snapshots: string): Map<string, string> {
  const exports: Record<string, unknown> = {}
  runInContext(snapshots, createContext({ exports }))
  return new Map(
    Object.entries(exports).map(([test, text]) => [
      `rerun:${test.replace(/ 1$/, '')}`,
      `\`\`\`text\n${z.string().parse(text).trim()}\n\`\`\``,
    ]),
  )
}
