/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  // Node's own type stripping: exact line numbers, no further dependency.
  transform: { '\\.ts$': './scripts/strip-types.js' },
  // The whole-program scenarios start real processes on small machines.
  testTimeout: 30_000,
}
