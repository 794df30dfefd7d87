// Mutation testing: does a test fail if the program changes? `MUTATE=service npm run mutation` mutates
// one part of the sources and runs the fast tests of the part. It runs no scenarios: they run bundles,
// which have no mutants. Scenarios test `actions` and most texts in `messages`, so these parts have no
// limit.
const parts = {
  actions: { sources: 'actions/**/*', tests: ['unit/actions'], limit: null },
  // Apart from `execution`, because its tests simulate whole batches and take long.
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
  // The limit is low because only scenarios run most of step.ts.
  runner: {
    sources: 'runner/*',
    tests: [
      'unit/actions',
      'unit/runner/{artifact-name,cancellation,log,summary-file,whole-file}',
      'unit/runner/step-folder',
    ],
    limit: 38,
  },
  service: {
    sources: 'service/**/*',
    tests: ['unit/service', 'wire/client-*', 'wire/transport-{answers,ends,network,proxy,tls}'],
    limit: 90,
  },
  // The limit is low because tests run the storage clients in child processes, which have no mutants.
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
  // mocha checks no types, so Stryker need not add comments that disable the checks.
  disableTypeChecks: false,
  ignorePatterns: ['real', 'dist', 'coverage', 'reports', 'examples'],
  concurrency: 2,
  // Ends a mutant that runs forever. The timeout is long, because a slow test on a busy machine would
  // count as a noticed mutant.
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
