// Lets mocha run the unit tests for Stryker. jest loads every module again for each mutant, which
// takes seconds. mocha loads the tests once and switches the mutants in the running program. This
// file takes the place of '@jest/globals' in the tests.
import { ModernFakeTimers } from '@jest/fake-timers'
import { expect } from 'expect'
import fc from 'fast-check'
import { bind } from 'jest-each'
import { registerHooks } from 'node:module'

/** Ends a test that a mutant makes wait forever. Without a mutant, no test takes this long. */
const limitMs = 20_000

// The same cases for each mutant. They are few, because they run again for each mutant.
fc.configureGlobal({ numRuns: 20, seed: 20 })

registerHooks({
  resolve: (name, context, next) =>
    name === '@jest/globals' ? { url: import.meta.url, shortCircuit: true } : next(name, context),
})

// mocha's functions exist only while it loads the tests. They pass a callback to a body with a parameter.
const hook = (name) => (body) => globalThis[name](() => body())

export const beforeAll = hook('before')
export const afterAll = hook('after')
export const beforeEach = hook('beforeEach')
export const afterEach = hook('afterEach')

export const describe = (name, body) => globalThis.describe(name, () => void body())
describe.each = bind(describe, false)

// Stryker chooses tests with one regular expression of all their names. V8 limits its length.
const short = (name) => name.slice(0, 150)

export const it = (name, body) => globalThis.it(short(name), () => body()).timeout(limitMs)
it.each = bind(it, false)
it.skip = (name) => globalThis.it(short(name))

export const jest = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis })

// mocha has no snapshots, so a mutant that only a snapshot notices counts as a survivor.
expect.extend({ toMatchSnapshot: () => ({ pass: true, message: () => '' }) })

export { expect }
