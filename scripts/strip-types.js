// The jest transform. Types are stripped in place (white space for types), so
// that lines and columns stay true; type errors are found by the compiler.
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
}
