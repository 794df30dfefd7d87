import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { StepResult } from '../../sandbox/runner/runner.ts'

/** Returns the size and the hash of bytes. jest needs minutes to compare large buffers themselves. */
export function digest(bytes: Buffer): string {
  return `${String(bytes.length)} bytes, ${createHash('sha256').update(bytes).digest('hex')}`
}

/** Returns the digest of the file that a step's output names. */
export async function digestOf(
  { outputs }: StepResult,
  output: 'result-file' | 'log-file',
): Promise<string> {
  return digest(await readFile(outputs[output] ?? ''))
}
