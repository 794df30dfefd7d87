import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

/** The walls of ARCHITECTURE.md: what a ring must not import, and why. */
function wall(files, ...forbidden) {
  const patterns = forbidden.map(([regex, message]) => ({ regex, message }))
  return { files, rules: { 'no-restricted-imports': ['error', { patterns }] } }
}

const runnerPackages = ['^@actions/(core|github|artifact)', 'Only src/github talks to the runner.']
const ring = (name, why) => [`/${name}/`, why]

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'reports/', '.stryker-tmp/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      // An aborted signal's reason is whatever the aborter chose.
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'max-lines-per-function': ['error', { max: 35, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'sandbox/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 150, skipComments: true, skipBlankLines: true }] },
  },
  {
    // A scenario may be as long as its story; jest's calls are not methods torn off objects.
    files: ['__tests__/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/github/**'],
    rules: { 'no-restricted-globals': ['error', { name: 'process', message: 'Ask src/github.' }] },
  },
  wall(
    ['src/service/**/*.ts'],
    runnerPackages,
    ring('execution', 'service knows nothing of runs being followed.'),
    ring('github', 'service knows nothing of GitHub.'),
    ring('actions', 'Arrows point inward.'),
  ),
  wall(
    ['src/execution/**/*.ts'],
    runnerPackages,
    ['^@actions/', 'execution does not touch the wire.'],
    ring('github', 'execution knows nothing of GitHub.'),
    ring('actions', 'Arrows point inward.'),
  ),
  wall(
    ['src/github/**/*.ts'],
    ring('service', 'github shows what it is given.'),
    ring('execution', 'github shows what it is given.'),
    ring('actions', 'Arrows point inward.'),
  ),
  wall(['src/actions/**/*.ts'], runnerPackages),
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['examples/**/*.mjs'],
    languageOptions: { globals: { AbortSignal: 'readonly', fetch: 'readonly' } },
  },
)
