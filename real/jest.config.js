/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  testMatch: ['<rootDir>/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '../scripts/strip-types.js' },
  globalSetup: '../scripts/build/fresh-bundles.mjs',
  // Stores and proxies start slowly, and a step that tries five times needs 15 seconds.
  testTimeout: 60_000,
}
