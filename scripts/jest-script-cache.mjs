// Loaded before jest (`--import` in package.json) and, with jest's own arguments, in its workers.
// jest compiles some two hundred files of its own anew for every test file. V8 has a cache for that,
// but not for scripts with a function for `import()`, which jest gives to all. What lies in
// node_modules and is loaded with `require` needs none; where it did, its `import()` would throw.
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
