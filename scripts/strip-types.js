// The jest transform. Replaces types by white space, so that lines and columns stay the same. `npm run
// types` finds type errors.
import { stripTypeScriptTypes } from 'node:module'

export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
}
