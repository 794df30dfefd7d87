import { existsSync } from 'node:fs'
import root from '../eslint.config.js'

// The type-checked rules need the stores' types, which only `npm ci --prefix real` installs.
const installed = existsSync(new URL('node_modules', import.meta.url))

export default [
  ...root,
  {
    // As in eslint.config.js for the other tests.
    files: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/unbound-method': 'off' },
  },
  { ignores: installed ? [] : ['**/*.ts'] },
]
