import { fileURLToPath } from 'node:url'

const folder = new URL('../node_modules/.cache/compiled/', import.meta.url)

/**
 * The environment for programs that run many times. Node keeps their compiled code and stripped
 * types, because compiling takes longer than most of the programs run.
 */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(folder) }
