// Mutation testing: does a test fail when the program is changed? One part of the sources at a time
// with the part's own tests: `MUTATE=service npm run mutation`. The fast tests alone; whole-program
// scenarios run the bundle, which no mutant reaches. They are what tests `actions` and most texts in
// `messages`: these parts have no limit.
const parts = {
  actions: { sources: 'actions/**/*', tests: ['unit/actions'], limit: null },
  // Its tests simulate whole batches, which takes long, so it is apart from `execution`.
  batch: { sources: 'execution/batch/*', tests: ['unit/execution/batch'], limit: 92 },
  download: {
    sources: 'download/**/*',
    tests: ['unit/download', 'wire/{collect,download*,store}'],
    limit: 90,
  },
  execution: { sources: 'execution/*', tests: ['unit/execution/!(batch)'], limit: 92 },
  inputs: { sources: 'runner/inputs/**/*', tests: ['unit/runner/inputs'], limit: 90 },
  messages: { sources: 'messages/**/*', tests: ['unit/messages'], limit: null },
  record: {
    sources: 'runner/record/**/*',
    tests: ['unit/runner/record', 'unit/actions/earlier-runs'],
    limit: 97,
  },
  'result-schema': {
    sources: 'runner/result-schema/**/*',
    tests: ['unit/runner/result-schema'],
    limit: 75,
  },
  // step.ts is the frame of a whole program, which only scenarios run.
  runner: {
    sources: 'runner/*',
    tests: [
      'unit/actions',
      'unit/runner/{artifact-name,cancellation,commit-status,log,summary-file,whole-file}',
      'unit/runner/workspace-copy',
    ],
    limit: 38,
  },
  service: {
    sources: 'service/**/*',
    tests: ['unit/service', 'wire/client-*', 'wire/transport-{answers,ends,network,proxy,tls}'],
    limit: 90,
  },
  // The clients run in processes of their own, in tests that no mutant reaches.
  storage: { sources: 'runner/storage/**/*', tests: ['unit/runner/storage'], limit: 48 },
}

const name = process.env['MUTATE'] ?? 'execution'
const part = parts[name]
if (part === undefined) throw new Error(`MUTATE must be one of ${Object.keys(parts).join(', ')}.`)
const folder = `reports/mutation/${name}`

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  mutate: [`src/${part.sources}.ts`],
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  mochaOptions: {
    require: ['./scripts/mutation/jest-globals.mjs'],
    spec: part.tests.map((tests) => `__tests__/${tests}{.test.ts,/**/*.test.ts}`),
  },
  coverageAnalysis: 'perTest',
  // tsc is the judge of types; a comment that switches it off would only move columns.
  disableTypeChecks: false,
  ignorePatterns: ['real', 'dist', 'coverage', 'reports', 'examples'],
  concurrency: 2,
  // For mutants that never end: a busy machine must not count as a failing test.
  timeoutMS: 60_000,
  timeoutFactor: 3,
  incremental: true,
  incrementalFile: `${folder}/incremental.json`,
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  htmlReporter: { fileName: `${folder}/report.html` },
  jsonReporter: { fileName: `${folder}/report.json` },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: part.limit },
}
