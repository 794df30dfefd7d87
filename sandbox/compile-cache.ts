import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * For the environment of programs that run many times: they keep what Node has compiled, and
 * stripped of types, which takes longer than most of them run. Node's own default place.
 */
export const compileCache = { NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache') }
