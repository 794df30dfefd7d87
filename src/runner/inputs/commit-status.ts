/** The inputs that show a run on a commit. */
import { z } from 'zod/mini'
import { credential } from './connection.ts'
import { secret } from './secret.ts'
import {
  changed,
  givenText,
  leaveOutAbsent,
  lineOfText,
  optional,
  quote,
  whenSound,
} from './text.ts'

/** Undefined where no status is asked for. */
export type CommitStatusInputs = z.output<typeof commitStatus>

// Characters. GitHub answers 422 to more.
const maxContextLength = 255

const context = lineOfText.check(
  z.refine((text) => lengthOf(text) <= maxContextLength, {
    error: ({ input }) =>
      `expected at most ${String(maxContextLength)} characters, found ${String(lengthOf(String(input)))}`,
  }),
)

const fields = {
  'commit-status': optional(context),
  'commit-sha': optional(givenText),
  'github-token': secret(optional(credential)),
}

const wholeSha = z.refine<Given>(hasWholeSha, {
  path: ['commit-sha'],
  error: ({ input }) =>
    `expected a whole commit SHA of 40 or 64 hexadecimal digits, found ${quote(String((input as Given)['commit-sha']))}`,
  when: whenSound('commit-status', 'commit-sha'),
})

export const commitStatus = changed(z.object(fields).check(wholeSha), (given) => {
  const { 'commit-status': name, 'commit-sha': commit, 'github-token': token } = given
  const sha = commit?.toLowerCase()
  return name === undefined ? undefined : leaveOutAbsent({ context: name, sha, token })
})

type Given = z.output<z.ZodMiniObject<typeof fields>>

/** The default comes from GitHub: without a status nobody depends on it, and it stops no run. */
function hasWholeSha({ 'commit-status': name, 'commit-sha': sha }: Given): boolean {
  return name === undefined || sha === undefined || /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(sha)
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
