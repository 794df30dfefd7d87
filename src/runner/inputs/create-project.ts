/** The inputs of a project to create. */
import { z } from 'zod'
import { projectName } from './names.ts'
import { lineOfText, oneOf } from './text.ts'

export const project = z
  .object({ region: lineOfText, 'docker-version': lineOfText, name: projectName })
  .transform((given) => ({
    region: given.region,
    dockerVersion: given['docker-version'],
    name: given.name,
  }))

export const ifExists = z
  .object({ 'if-exists': oneOf(['fail', 'skip']) })
  .transform((given) => given['if-exists'])
