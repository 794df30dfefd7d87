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

/** The name under which workflows of other repositories use the actions: any owner will do. */
const repository = 'run-automation'

/**
 * What GitHub's own language service finds in a workflow or an action.yml, a line each. Our own
 * actions, also when used by their path in the checkout, are known with their inputs and outputs.
 */
export async function findProblems(
  file: string,
  actions: Actions,
  content?: string,
): Promise<string[]> {
  const problems: string[] = []
  // It catches its own failures and logs them: a judge that broke must not pass for content.
  setLogLevel(LogLevel.Error)
  const log = (message: string) => problems.push(message)
  registerLogger({ error: log, warn: log, info: log, log })
  const text = nameOwnActions(content ?? (await readFile(file, 'utf8')))
  const findings = await validate(documentOf(file, text), knowing(actions))
  return [
    ...problems,
    ...findings.map(({ message, range }) => `line ${range.start.line + 1}: ${textOf(message)}`),
  ]
}

function textOf(message: string | { value: string }): string {
  return typeof message === 'string' ? message : message.value
}

/** The service resolves no `./`: such a use is written as one from another repository. */
function nameOwnActions(workflow: string): string {
  return workflow.replace(
    /(uses:\s*["']?)\.\/([\w-]*)\/?(?=["'\s]|$)/g,
    (_use, key: string, folder: string) =>
      `${key}owner/${repository}${folder === '' ? '' : `/${folder}`}@checkout`,
  )
}

/** The part of a document that the service reads. */
function documentOf(file: string, text: string): TextDocument {
  return { uri: pathToFileURL(file).href, getText: () => text } as TextDocument
}

function knowing(actions: Actions): ValidationConfig {
  return {
    // Steps in the background: on GitHub since June 2026, behind a flag in this version of the service.
    featureFlags: new FeatureFlags({ allowBackgroundSteps: true }),
    actionsMetadataProvider: {
      fetchActionMetadata: ({ owner, name, path }) =>
        Promise.resolve(
          // Of the actions of others nothing is known: without inputs, none is checked.
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

/** Makes outputs that our actions don't have a finding; by itself the service knows of none. */
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
