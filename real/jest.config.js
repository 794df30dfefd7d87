/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '../scripts/strip-types.js' },
  globalSetup: '../scripts/build/fresh-bundles.mjs',
  // Stores and proxies start slowly, and five tries of a step need 15 s.
  testTimeout: 60_000,
}
