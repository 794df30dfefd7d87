/** Reads the files that a batch has written. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { StepRecord } from './step-record.ts'

/** One line of `results.jsonl`. */
export interface Row {
  number: number
  label: string | null
  execution_id: string | null
  conclusion: string
  cause: string | null
  result_file: string | null
  log_file: string | null
}

export interface BatchFiles {
  /** The lines of `results.jsonl`. Undefined if the output `results-file` is empty. */
  rows: readonly Row[] | undefined
  failedSeeds: string | undefined
  /** The files of all runs. The keys are the file names in `results.jsonl`. */
  kept: ReadonlyMap<string, Buffer | undefined>
  /** The paths of files that contain untrusted data. */
  data: readonly string[]
  /** The texts that the action wrote itself, from files that also contain untrusted data. */
  composed: readonly string[]
  /** The files in folders where the step must not write. */
  strays: readonly string[]
}

/** Reads the files. `folder` is where the step may write, and `all` lists the files in `folder`. */
export async function readBatchFiles(
  recorded: StepRecord,
  folder: string,
  all: readonly string[],
): Promise<BatchFiles> {
  const own = recorded.output('folder')
  const lines = await readOutput(recorded, 'results-file')
  const rows = lines?.split('\n').slice(0, -1)
  const parsed = rows?.map((line) => JSON.parse(line) as Row)
  const names = parsed?.flatMap((row) => [row.result_file, row.log_file]) ?? []
  const files = names.filter((name) => name !== null)
  const read = async (name: string) => {
    const file = path.join(own, name)
    return [name, all.includes(file) ? await readFile(file) : undefined] as const
  }
  return {
    rows: parsed,
    failedSeeds: await readOutput(recorded, 'failed-seeds-file'),
    kept: new Map(await Promise.all(files.map(read))),
    data: [...files, 'results.jsonl'].map((name) => path.join(own, name)),
    composed: rows?.map((line) => line.split(',"result":')[0] ?? '') ?? [],
    strays: await findStrays(folder, own, all),
  }
}

async function readOutput(recorded: StepRecord, name: string): Promise<string | undefined> {
  const file = recorded.output(name)
  return file === '' ? undefined : readFile(file, 'utf8')
}

const inputFiles = ['full', 'seeds.jsonl', 'summary.md']

/** Returns the files outside of the step's own folder, except for inputs. */
async function findStrays(folder: string, own: string, all: readonly string[]): Promise<string[]> {
  const outside = (await readdir(path.dirname(folder))).filter(
    (name) => name !== path.basename(folder),
  )
  const inside = all
    .map((file) => path.relative(folder, file))
    .filter((file) => !inputFiles.includes(file))
    .filter(
      (file) => own === '' || !path.join(folder, file).startsWith(path.dirname(own) + path.sep),
    )
  return [...outside, ...inside]
}
