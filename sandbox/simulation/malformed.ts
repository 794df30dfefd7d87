/** Answers with a status of success that are not as documented. */
import type { Route } from './traffic.ts'

export interface MalformedBody {
  name: string
  body: string
}

export function malformedBodies(route: Route): readonly MalformedBody[] {
  return [...anywhere, ...ofRoute[route]]
}

const anywhere: readonly MalformedBody[] = [
  { name: 'HTML', body: '<!doctype html><title>Sign in</title>' },
  { name: 'array', body: '[{"finished":true,"execution_id":"forged"}]' },
  { name: 'null', body: 'null' },
  { name: 'empty body', body: '' },
  { name: 'JSON cut short', body: '{"finished":true,"execution_id":"forg' },
]

const state = { exec_uuid: null, finished: true, error: false, stopped: false }

const ofRoute: Record<Route, readonly MalformedBody[]> = {
  start: [
    wrong({ status: 'success', message: 'started' }),
    wrong({ execution_id: 7, message: 'started' }),
    wrong({ execution_id: '..' }),
    wrong({ execution_id: '', exec_uuid: ' ' }),
    wrong({ execution_id: 'line\nbreak' }),
  ],
  status: [
    missing(state),
    missing({}),
    wrong({ ...state, container_error: 'false' }),
    wrong({ ...state, finished: 1, container_error: false }),
    wrong({ ...state, error: null, container_error: false }),
    wrong({ ...state, container_error: false, result_url: 7 }),
  ],
  'create-project': [wrong({ message: 7 }), missing({})],
}

function wrong(value: object): MalformedBody {
  return { name: 'wrong types', body: JSON.stringify(value) }
}

function missing(value: object): MalformedBody {
  return { name: 'missing flags', body: JSON.stringify(value) }
}
