/** The inputs of a project to create. */
import { z } from 'zod'
import { projectName } from './names.ts'
import { lineOfText, oneOf } from './text.ts'

/** `namePattern` is the service's rule for names of projects. */
export function project(namePattern: RegExp) {
  return z
    .object({
      region: lineOfText,
      'docker-version': lineOfText,
      name: projectName(namePattern),
    })
    .transform((given) => ({
      region: given.region,
      dockerVersion: given['docker-version'],
      name: given.name,
    }))
}

export const ifExists = z
  .object({ 'if-exists': oneOf(['fail', 'skip']) })
  .transform((given) => given['if-exists'])
