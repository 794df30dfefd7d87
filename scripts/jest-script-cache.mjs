// Loaded before jest (`--import` in package.json) and in its workers. jest compiles about two
// hundred files of its own again for every test file. V8 has a cache for that, but not for scripts
// with a function for `import()`, which jest gives to all. Scripts in node_modules that are loaded
// with `require` do not need this function.
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
