import { fileURLToPath } from 'node:url'

const folder = new URL('../node_modules/.cache/compiled/', import.meta.url)

/**
 * For the environment of programs that run many times: they keep what Node has compiled, and
 * stripped of types, which takes longer than most of them run.
 */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(folder) }
