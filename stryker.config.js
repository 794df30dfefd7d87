// Mutation testing: does a test fail if the program changes? `MUTATE=run npm run mutation` mutates one
// part of the sources and runs the fast tests of the part. A part has modules whose rules are pure
// functions, and whose tests are tables. Everything else has no part: scenarios, wire tests and the
// simulation prove it.
const parts = {
  cause: {
    sources: 'cause/*',
    tests: ['unit/cause'],
    limit: 90,
  },
  download: {
    sources: 'download/**/*',
    tests: ['unit/download', 'wire/{collect,download*,store}'],
    limit: 90,
  },
  inputs: { sources: 'runner/inputs/**/*', tests: ['unit/runner/inputs'], limit: 90 },
  record: {
    sources: 'runner/record/{format,identity,read-record,record,record-state}',
    tests: ['unit/runner/record'],
    limit: 90,
  },
  'result-schema': {
    sources: 'runner/result-schema/**/*',
    tests: ['unit/runner/result-schema'],
    limit: 75,
  },
  run: {
    sources:
      'execution/{batch/pace,begin,collect-run,conclusion,follow-run,report,seen,start-run,watch}',
    tests: ['unit/execution/{batch/pace,begin,conclusion,report,follow-run,seen,watch}'],
    limit: 91,
  },
  service: {
    sources: 'service/**/*',
    tests: ['unit/service', 'wire/client-*', 'wire/transport-{answers,ends,network,proxy,tls}'],
    limit: 90,
  },
  text: { sources: 'messages/text/*', tests: ['unit/messages/text'], limit: 90 },
}

const name = process.env['MUTATE'] ?? 'run'
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
