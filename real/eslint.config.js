import { existsSync } from 'node:fs'
import root from '../eslint.config.js'

// The type-checked rules need the stores' own types, which only `npm ci --prefix real` brings.
const installed = existsSync(new URL('node_modules', import.meta.url))

export default [
  ...root,
  {
    // As for the other tests: a scenario may be longer than a function.
    files: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  { ignores: installed ? [] : ['**/*.ts'] },
]
