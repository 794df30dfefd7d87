/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: './scripts/build/fresh-bundles.mjs',
  // Node's own type stripping: exact line numbers, no further dependency.
  transform: { '\\.ts$': './scripts/strip-types.js' },
  // Most tests wait for sockets and processes, not for a processor.
  maxWorkers: 4,
  // Ends what hangs. Far longer than any test takes, also on a small and busy machine.
  testTimeout: 120_000,
}
