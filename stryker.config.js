/**
 * Mutation testing of the parts that judge: inputs, the service's answers, the following of a run.
 * The fast tests alone: whole-program scenarios run the bundle, which no mutant reaches.
 *
 * @type {import('@stryker-mutator/api/core').PartialStrykerOptions}
 */
export default {
  mutate: ['src/execution/**/*.ts', 'src/service/**/*.ts', 'src/runner/inputs/**/*.ts'],
  plugins: ['@stryker-mutator/jest-runner'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  jest: {
    projectType: 'custom',
    config: {
      // The roots hold all files through which jest finds out which tests a mutant concerns.
      roots: ['<rootDir>/src', '<rootDir>/__tests__'],
      testMatch: ['<rootDir>/__tests__/{unit,wire}/**/*.test.ts'],
      testTimeout: 10_000,
    },
  },
  coverageAnalysis: 'perTest',
  // tsc is the judge of types; a comment that switches it off would only move columns.
  disableTypeChecks: false,
  ignorePatterns: ['real', 'dist', 'coverage', 'reports', 'examples'],
  concurrency: 2,
  timeoutMS: 10_000,
  incremental: true,
  incrementalFile: 'reports/mutation/incremental.json',
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
}
