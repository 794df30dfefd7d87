import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** A folder of automations for `openSandbox({ automations: folder })`, removed when disposed. */
export interface Automations extends AsyncDisposable {
  folder: string
}

/** Writes automations into a folder. `bodies`: the body of each core task, by automation name. */
export async function makeAutomations(bodies: Record<string, string>): Promise<Automations> {
  const files = Object.entries(bodies).map(([name, body]) => {
    return [`${name}.ts`, `export default async (seed) => {${body}}\n`] as const
  })
  const made = await makeTemporaryFolder({
    'package.json': '{ "type": "module" }',
    ...Object.fromEntries(files),
  })
  return { folder: made.path, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() }
}

/** Makes the automation `flaky`, whose container dies in its first `deaths` runs. */
export async function makeFlaky({ deaths = 0 }): Promise<Automations> {
  return makeAutomations({
    flaky: `
      const { appendFileSync, readFileSync } = await import('node:fs')
      const file = import.meta.dirname + '/runs'
      appendFileSync(file, '.')
      const runs = readFileSync(file).length
      console.log('run ' + runs)
      if (runs > ${deaths}) return { runs }
      process.kill(process.pid, 'SIGKILL')
      await new Promise(() => undefined)`,
  })
}

/** Returns code for a body that prints exactly these bytes. */
export function printing(bytes: Buffer): string {
  return `process.stdout.write(Buffer.from('${bytes.toString('base64')}', 'base64'));`
}

/** Returns code for a body that returns exactly these bytes. */
export function returning(contentType: string, bytes: Buffer): string {
  const body = `Buffer.from('${bytes.toString('base64')}', 'base64')`
  return `return { contentType: ${JSON.stringify(contentType)}, body: ${body} };`
}
