type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface OpenApi {
  openapi: string
  info: { title: string; version: string; license?: Json }
  paths: Record<string, Record<string, Json>>
  components?: Json
}

/** The same description with these paths alone, references replaced by what they refer to. */
export function extract(whole: OpenApi, wanted: readonly string[]): OpenApi {
  const { title, version, license = null } = whole.info
  const paths = wanted.map((path) => {
    const item = whole.paths[path]
    if (!item) throw new Error(`${path} is not in the description`)
    return [path, resolve(item, whole)] as const
  })
  return {
    openapi: whole.openapi,
    info: { title, version, license },
    paths: Object.fromEntries(paths) as OpenApi['paths'],
  }
}

/** What a machine doesn't read: examples, and GitHub's own notes (`x-…`). */
const leftOut = /^(examples?|x-.*)$/

function resolve(value: Json, whole: OpenApi): Json {
  if (Array.isArray(value)) return value.map((entry) => resolve(entry, whole))
  if (value === null || typeof value !== 'object') return value
  if (typeof value['$ref'] === 'string') return resolve(find(value['$ref'], whole), whole)
  const kept = Object.entries(value).filter(([key]) => !leftOut.test(key))
  return Object.fromEntries(kept.map(([key, entry]) => [key, resolve(entry, whole)]))
}

/** @param reference such as `#/components/parameters/owner` */
function find(reference: string, whole: OpenApi): Json {
  let found: Json | undefined = { components: whole.components ?? null }
  for (const key of reference.split('/').slice(1)) {
    if (found === null || typeof found !== 'object' || Array.isArray(found)) break
    found = found[key]
  }
  if (found === undefined) throw new Error(`${reference} leads nowhere`)
  return found
}
