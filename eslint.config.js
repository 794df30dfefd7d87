import js from '@eslint/js'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

// A folder may import the folders before it in this list, and the files directly in src/. These files
// import no folder. The folder cause imports nothing of the product.
const folders = [
  'cause',
  'service',
  'download',
  'execution',
  'messages',
  'runner',
  'actions',
  'entries',
]

const runnerPackages = {
  regex: '^@actions/(core|github|artifact|cache)',
  message: 'Only src/runner may import this package.',
}

// Texts leave the action in these files. Only they redact and cut texts, each text as a whole, because
// a secret that was cut is not recognised.
const sinks = [
  'src/actions/batch/follow-seeds.ts',
  'src/actions/batch/run-folders.ts',
  'src/actions/set-commit-status.ts',
  'src/actions/file-ends.ts',
  'src/actions/publish-run.ts',
  'src/messages/annotation.ts',
  'src/messages/batch/junit.ts',
  'src/messages/batch/runs.ts',
  'src/messages/json.ts',
  'src/messages/describe-result-problems.ts',
  'src/messages/row-of.ts',
  'src/messages/summary/chart.ts',
  'src/messages/summary/html.ts',
  'src/messages/text/*.ts',
  'src/runner/log.ts',
  'src/runner/outputs.ts',
  'src/runner/publish-artifact.ts',
]
const message = 'Only the places where texts leave the action redact and cut them (sinks).'
const onlyInSinks = [
  { regex: '/cut\\.ts$', importNames: ['cut', 'cutMiddle'], message },
  { regex: '/untrusted-text\\.ts$', importNames: ['inline'], message },
  { regex: '/text/secrets\\.ts$', importNames: ['Show'], message },
]

/** Returns the rules for the imports of a folder. ARCHITECTURE.md describes the folders. */
function restrictImports(folder, index) {
  const outer = folders.slice(index + 1).map((name) => ({
    regex: `/${name}/`,
    message: `${folder} may import ${folders.slice(0, index).join(', ') || 'no other folder'} only.`,
  }))
  if (folder === 'cause')
    outer.push({ regex: '^\\.\\./', message: 'cause imports no other folder.' })
  const patterns = folder === 'runner' ? outer : [...outer, runnerPackages]
  const files = [`src/${folder}/**/*.ts`]
  const all = [...patterns, ...onlyInSinks]
  return [
    { files, rules: { 'no-restricted-imports': ['error', { patterns }] } },
    { files, ignores: sinks, rules: { 'no-restricted-imports': ['error', { patterns: all }] } },
  ]
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
      // A declaration with `using` releases something at the end of its block.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreUsingDeclarations: true }],
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
  ...folders.flatMap(restrictImports),
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
