import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { FeatureFlags } from '@actions/expressions/features'
import { LogLevel, registerLogger, setLogLevel, validate } from '@actions/languageservice'
import type { ValidationConfig } from '@actions/languageservice'
import type { ActionFile, ActionName } from '../../scripts/docs/action-files.ts'

type TextDocument = Parameters<typeof validate>[0]
type ContextProvider = NonNullable<ValidationConfig['contextProviderConfig']>['getContext']
type Context = NonNullable<Parameters<ContextProvider>[1]>
type Step = NonNullable<Parameters<ContextProvider>[2]['job']>['steps'][number]
type Actions = Record<ActionName, ActionFile>

/** The repository name by which other repositories use the actions. Any owner is accepted. */
const repository = 'run-automation'

/**
 * Returns the problems that GitHub's language service finds in a workflow or an action.yml. The
 * service knows the inputs and outputs of our actions, also if a workflow uses their local path.
 */
export async function findProblems(
  file: string,
  actions: Actions,
  content?: string,
): Promise<string[]> {
  const problems: string[] = []
  // The service logs its own failures and does not throw them. The log lines become problems.
  setLogLevel(LogLevel.Error)
  const log = (message: string) => problems.push(message)
  registerLogger({ error: log, warn: log, info: log, log })
  const text = nameOwnActions(content ?? (await readFile(file, 'utf8')))
  const findings = await validate(documentOf(file, text), configFor(actions))
  return [
    ...problems,
    ...findings.map(({ message, range }) => `line ${range.start.line + 1}: ${textOf(message)}`),
  ]
}

function textOf(message: string | { value: string }): string {
  return typeof message === 'string' ? message : message.value
}

/** Replaces `uses: ./…` by `uses: owner/repo/…`, because the language service finds no local actions. */
function nameOwnActions(workflow: string): string {
  return workflow.replace(
    /(uses:\s*["']?)\.\/([\w-]*)\/?(?=["'\s]|$)/g,
    (_use, key: string, folder: string) =>
      `${key}owner/${repository}${folder === '' ? '' : `/${folder}`}@checkout`,
  )
}

/** Returns the part of a document that the service reads. */
function documentOf(file: string, text: string): TextDocument {
  return { uri: pathToFileURL(file).href, getText: () => text } as TextDocument
}

function configFor(actions: Actions): ValidationConfig {
  return {
    // This version of the service knows background steps (GitHub, June 2026) only behind a flag.
    featureFlags: new FeatureFlags({ allowBackgroundSteps: true }),
    actionsMetadataProvider: {
      fetchActionMetadata: ({ owner, name, path }) =>
        Promise.resolve(
          // Other actions have no metadata here, so the service does not check their inputs.
          name === repository ? ownAction(actions, path) : { name, description: owner },
        ),
    },
    contextProviderConfig: {
      getContext: (name, context, { job }) => {
        if (name !== 'steps' || !context) return Promise.resolve(undefined)
        for (const step of job?.steps ?? []) declareOutputs(context, step, actions)
        return Promise.resolve(context)
      },
    },
  }
}

function ownAction(actions: Actions, folder = 'run'): ActionFile | undefined {
  return Object.entries(actions).find(([name]) => name === folder)?.[1]
}

/** Declares the outputs of our actions, so that the service finds uses of unknown outputs. */
function declareOutputs(context: Context, step: Step, actions: Actions): void {
  const use = 'uses' in step ? step.uses.value : ''
  const [, name, folder] = use.replace(/@.*/, '').split('/')
  const action = name === repository ? ownAction(actions, folder) : undefined
  const known = context.get(step.id)
  if (!action || !isContext(known)) return
  const outputs = known.get('outputs')
  const value = known.get('outcome')
  if (!isContext(outputs) || !value) return
  for (const output of Object.keys(action.outputs)) outputs.add(output, value)
  outputs.complete = true
}

function isContext(value: unknown): value is Context {
  return typeof value === 'object' && value !== null && 'complete' in value
}
