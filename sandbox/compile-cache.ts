import { fileURLToPath } from 'node:url'

const folder = new URL('../node_modules/.cache/compiled/', import.meta.url)

/**
 * Environment for programs that run many times. Node then keeps compiled code and stripped types,
 * which take longer than most of these programs run.
 */
export const compileCache = { NODE_COMPILE_CACHE: fileURLToPath(folder) }
