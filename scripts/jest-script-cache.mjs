// Loaded before jest (`--import` in package.json) and in its workers. jest compiles about two
// hundred of its own files again for each test file. V8 caches compiled scripts, but no scripts with
// a function for `import()`. jest gives this function to all scripts. Scripts in node_modules that
// are loaded with `require` do not need it.
import path from 'node:path'
import vm from 'node:vm'

const { Script } = vm
const installed = `${path.sep}node_modules${path.sep}`

vm.Script = class extends Script {
  constructor(code, options) {
    super(
      code,
      options?.filename?.includes(installed)
        ? { ...options, importModuleDynamically: undefined }
        : options,
    )
  }
}
