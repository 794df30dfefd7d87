import { describe, expect, it } from '@jest/globals'
import { attemptsOf } from '../../scripts/start/attempts.ts'
import { connect } from '../../scripts/start/connection.ts'
import { readOptions } from '../../scripts/start/options.ts'
import { checkAction, chooseInputs } from '../../scripts/start/step-options.ts'

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

  it('gives no options for --help', () => {
    expect(readOptions(['--help'])).toBeUndefined()
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
    expect(connection.isLocal).toBe(true)
    expect(connection.project).toBe('demo')
    expect(connection.inputs['base-url']).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  })

  it('is the one that the environment names', async () => {
    const status = { AUTOMATION_STATUS_BASE_URL: 'https://status.example', AUTOMATION_PROJECT: 'p' }
    await using connection = await connect({ ...own, ...status })
    expect(connection).toMatchObject({ isLocal: false, project: 'p' })
    expect(connection.inputs).toEqual({
      'base-url': 'https://service.example',
      'api-token': 'token',
      'api-key': 'key',
      'status-base-url': 'https://status.example',
    })
  })

  it.each([
    [{ ...own, AUTOMATION_API_KEY: '' }, 'set AUTOMATION_API_KEY too'],
    [{ AUTOMATION_API_KEY: 'key' }, 'set AUTOMATION_BASE_URL and AUTOMATION_API_TOKEN too'],
    [{ AUTOMATION_STATUS_BASE_URL: 'https://status.example' }, 'set AUTOMATION_BASE_URL and'],
  ])('must be named whole: %j', async (environment, message) => {
    await expect(connect(environment)).rejects.toThrow(message)
  })
})

describe('the inputs of npm start', () => {
  const action = {
    folder: '.',
    main: import.meta.filename,
    defaults: { 'base-url': '', project: '', 'poll-interval': '5s', timeout: '1h' },
  }
  const connection = {
    name: 'the sandbox',
    inputs: { 'base-url': 'http://127.0.0.1:1', 'status-base-url': 'http://127.0.0.1:2' },
    project: 'demo',
    isLocal: true,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  const options = { name: 'run', action: '.', inputs: {}, rerun: false }

  it('are those of the connection that the action knows, checked every second', () => {
    expect(chooseInputs(action, connection, options)).toEqual({
      'base-url': 'http://127.0.0.1:1',
      project: 'demo',
      'poll-interval': '1s',
    })
  })

  it('are overruled by the command line', () => {
    const inputs = { project: 'mine', 'poll-interval': '2s' }
    expect(chooseInputs(action, connection, { ...options, inputs })).toMatchObject(inputs)
  })

  it('must be known to the action', async () => {
    const unknown = { ...options, inputs: { tiemout: '5s' } }
    await expect(checkAction(action, unknown)).rejects.toThrow('the action has no tiemout')
  })

  it('name a file of seeds that is there', async () => {
    const defaults = { ...action.defaults, 'seeds-file': '' }
    const lost = { ...options, inputs: { 'seeds-file': '/no/such/cities.jsonl' } }
    const message = '--seeds: there is no file /no/such/cities.jsonl'
    await expect(checkAction({ ...action, defaults }, lost)).rejects.toThrow(message)
  })

  it('need the bundle', async () => {
    const unbuilt = { ...action, main: '/no/such/bundle.js' }
    await expect(checkAction(unbuilt, options)).rejects.toThrow('run npm run build first')
  })
})
