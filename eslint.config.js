import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

// Folders from the inside out; each may import those before it, and what lies beside them in src/,
// which imports none of them.
const folders = ['service', 'download', 'execution', 'messages', 'runner', 'actions', 'entries']

const runnerPackages = {
  regex: '^@actions/(core|github|artifact|cache)',
  message: 'Only src/runner talks to the runner.',
}

/** What a folder must not import, so that arrows point one way (ARCHITECTURE.md). */
function arrows(folder, index) {
  const outer = folders.slice(index + 1).map((name) => ({
    regex: `/${name}/`,
    message: `${folder} may import ${folders.slice(0, index).join(', ') || 'no other folder'} only.`,
  }))
  const patterns = folder === 'runner' ? outer : [...outer, runnerPackages]
  return {
    files: [`src/${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  }
}

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
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts', 'sandbox/**/*.ts'],
    rules: { 'max-lines': ['error', { max: 250, skipComments: true, skipBlankLines: true }] },
  },
  {
    // A scenario may be as long as its story; jest's calls are not methods torn off objects.
    files: ['__tests__/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/runner/**'],
    rules: { 'no-restricted-globals': ['error', { name: 'process', message: 'Ask src/runner.' }] },
  },
  ...folders.map(arrows),
  {
    files: ['src/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^\\./.*/', message: 'What all folders share imports none.' },
            runnerPackages,
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['examples/**/*.mjs'],
    languageOptions: { globals: { AbortSignal: 'readonly', fetch: 'readonly' } },
  },
)
