import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { makeTemporaryFolder } from '../../support/temporary-folder.ts'

/** A folder of automations for `openSandbox({ automations: folder })`, removed when disposed. */
export interface Automations extends AsyncDisposable {
  folder: string
}

/** Writes automations into a folder. `bodies`: the body of each core task, by automation name. */
export async function makeAutomations(bodies: Record<string, string>): Promise<Automations> {
  const made = await makeTemporaryFolder()
  const folder = made.path
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }')
  for (const [name, body] of Object.entries(bodies)) {
    await writeFile(path.join(folder, `${name}.ts`), `export default async (seed) => {${body}}\n`)
  }
  return { folder, [Symbol.asyncDispose]: () => made[Symbol.asyncDispose]() }
}

/** Makes the automation `flaky`, whose container dies in its first `deaths` runs. */
export async function makeFlaky({ deaths = 0, lastWords = '' }): Promise<Automations> {
  return makeAutomations({
    flaky: `
      const { appendFileSync, readFileSync } = await import('node:fs')
      const file = import.meta.dirname + '/runs'
      appendFileSync(file, '.')
      const runs = readFileSync(file).length
      console.log('run ' + runs)
      if (runs > ${deaths}) return { runs }
      if (${JSON.stringify(lastWords)}) console.log(${JSON.stringify(lastWords)})
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
