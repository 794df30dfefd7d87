/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/__tests__'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: './scripts/build/fresh-bundles.mjs',
  // Node removes the types. This keeps line numbers exact and needs no dependency.
  transform: { '\\.ts$': './scripts/strip-types.js' },
  // Most tests wait for sockets and processes, not for a processor.
  maxWorkers: 4,
  // Ends a test that hangs. No other test takes this long, even on a small and busy machine.
  testTimeout: 120_000,
  // A worker has nothing left to wait for, but takes up to a second to release its memory if the
  // machine is busy. jest warns after 500 ms. A worker that never ends still brings the warning.
  workerGracefulExitTimeout: 10_000,
}
