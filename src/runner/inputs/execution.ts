/** The input that says which execution to wait for. */
import { z } from 'zod'
import { pathSegment } from './names.ts'

export const execution = z
  .object({ 'execution-id': pathSegment })
  .transform((given) => given['execution-id'])
