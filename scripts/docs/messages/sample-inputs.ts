/** Inputs of a `run` step: proper ones, and what may be wrong with them. */
export const properInputs = {
  'base-url': 'https://automations.example.com',
  'status-base-url': '',
  'api-token': 'token-7f3a',
  'api-key': 'key-91bc',
  'authorization-scheme': 'token',
  project: 'reports',
  automation: 'word-report',
  'poll-interval': '5s',
  timeout: '1h',
  'fail-on': 'error',
  retries: '0',
  'retry-on': 'container-error',
  'upload-artifact': 'true',
  'print-result': 'true',
  'print-log': 'on-failure',
  summary: 'true',
  'on-rerun': 'resume',
  matrix: 'null',
}

/** One wrong input each. */
export const wrongInputs: readonly Record<string, string>[] = [
  { seed: '{"a": 1]' },
  { seed: '[]' },
  { 'base-url': 'automations.example.com' },
  { 'base-url': 'http://automations.example.com' },
  { timeout: 'soon' },
  { 'fail-on': 'never' },
  { retries: '99' },
  { summary: 'maybe' },
]
