import { describe, expect, it } from '@jest/globals'
import { attemptsOf } from '../../scripts/start/attempts.ts'
import { connect } from '../../scripts/start/connection.ts'
import { readOptions } from '../../scripts/start/options.ts'

describe('the command line of npm start', () => {
  it('without options runs word-report by the root action', () => {
    expect(readOptions([])).toEqual({
      name: 'run',
      action: '.',
      inputs: { automation: 'word-report' },
      rerun: false,
    })
  })

  it('gives its options to the action as inputs', () => {
    const words = '--automation echo --input timeout=5s --input fail-on='.split(' ')
    expect(readOptions([...words, '--seed', '{"a": 1.0}'])).toEqual({
      name: 'run',
      action: '.',
      inputs: { automation: 'echo', timeout: '5s', seed: '{"a": 1.0}', 'fail-on': '' },
      rerun: false,
    })
  })

  it('runs a slow automation in two attempts, the first cut off', () => {
    const options = readOptions(['--rerun', '--input', 'timeout=5m'])
    expect(options?.inputs).toEqual({ automation: 'slow-count', timeout: '5m' })
    expect(options && attemptsOf(options)).toMatchObject([
      { env: { GITHUB_RUN_ATTEMPT: '1' }, inputs: { timeout: '0s' } },
      { env: { GITHUB_RUN_ATTEMPT: '2' }, inputs: {} },
    ])
  })

  it.each([
    ['one seed for a batch', ['--action', 'batch', '--seed', '{}'], '--seed: the action batch'],
    ['many seeds for one run', ['--seeds', 'a.jsonl'], '--seeds: the action run'],
    ['a second attempt of wait', ['--action', 'wait', '--rerun'], '--rerun: the action wait'],
    ['an unknown option', ['--sede', '{}'], "Unknown option '--sede'"],
    ['a word without an option', ['echo'], "Unexpected argument 'echo'"],
    ['an option without its value', ['--seed'], '--seed'],
    ['an unknown action', ['--action', 'stop'], 'expected run, start, wait, batch, create-project'],
    ['an action named like a built-in', ['--action', 'constructor'], 'expected run, start'],
    [
      'a seed for wait',
      ['--action', 'wait', '--seed', '{}'],
      '--seed: the action wait has no such',
    ],
    ['half an input', ['--input', 'fail-on'], 'expected NAME=VALUE; found "fail-on"'],
  ])('refuses %s', (_, words, message) => {
    expect(() => readOptions(words)).toThrow(message)
  })

  it('notices an option that npm took for itself', () => {
    expect(() => readOptions([], { npm_config_seed: '{}' })).toThrow('write npm start -- --seed')
  })
})

describe('the service of npm start', () => {
  const own = {
    AUTOMATION_BASE_URL: 'https://service.example',
    AUTOMATION_API_TOKEN: 'token',
    AUTOMATION_API_KEY: 'key',
  }

  it('is a fresh sandbox when the environment names none', async () => {
    await using connection = await connect({})
    expect(connection.inputs['project']).toBe('demo')
    expect(connection.inputs['base-url']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('is the one that the environment names', async () => {
    const status = { AUTOMATION_STATUS_BASE_URL: 'https://status.example', AUTOMATION_PROJECT: 'p' }
    await using connection = await connect({ ...own, ...status })
    expect(connection.inputs).toEqual({
      'base-url': 'https://service.example',
      'api-token': 'token',
      'api-key': 'key',
      'status-base-url': 'https://status.example',
      project: 'p',
    })
  })
})
