import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

// A folder may import the folders before it in this list, and the files directly in src/. These files
// import no folder.
const folders = ['service', 'download', 'execution', 'messages', 'runner', 'actions', 'entries']

const runnerPackages = {
  regex: '^@actions/(core|github|artifact|cache)',
  message: 'Only src/runner may import this package.',
}

/** Returns the rules for the imports of a folder. ARCHITECTURE.md describes the folders. */
function restrictImports(folder, index) {
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
      // The reason of an aborted signal can be any value.
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
    // A test may be long, and may pass a method to `expect` without its object.
    files: ['__tests__/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  {
    files: ['src/**/*.ts'],
    ignores: ['src/runner/**'],
    rules: {
      'no-restricted-globals': [
        'error',
        { name: 'process', message: 'Only src/runner may use it.' },
      ],
    },
  },
  ...folders.map(restrictImports),
  {
    files: ['src/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^\\./.*/', message: 'Files directly in src/ import no folder.' },
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
