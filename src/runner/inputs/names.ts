import { projectNamePattern } from '../../service/contract.ts'
import { lineOfText, quote } from './text.ts'

/**
 * A name that becomes one segment of a path of the service. `.` and `..` cannot be one, not even
 * percent-encoded, and would ask another route.
 */
export const pathSegment = lineOfText
  .refine((name) => name !== '.' && name !== '..', {
    error: ({ input }) => `${quote(String(input))} is not a name; give one other than . and ..`,
  })
  .refine((name) => name.length <= 200, {
    error: ({ input }) => `expected at most 200 characters, found ${String(input).length}`,
  })
  .refine((name) => name.isWellFormed(), {
    error: 'expected well-formed Unicode, found half of a surrogate pair',
  })

/** The name of a project to create, by the pattern that the service checks too. */
export const projectName = pathSegment.refine(
  (name) => name === '' || projectNamePattern.test(name),
  {
    error: ({ input }) =>
      `expected lowercase letters, digits, hyphens and underscores, starting with a letter or a digit (${projectNamePattern.source}), found ${quote(String(input))}`,
  },
)
