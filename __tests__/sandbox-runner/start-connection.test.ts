import { describe, expect, it } from '@jest/globals'
import { connect } from '../../scripts/start/connection.ts'
import { readOptions, type StartOptions } from '../../scripts/start/options.ts'

const optionsOf = (...words: string[]) => readOptions(words) as StartOptions

describe('the service of npm start', () => {
  const own = {
    AUTOMATION_BASE_URL: 'https://service.example',
    AUTOMATION_API_TOKEN: 'token',
    AUTOMATION_API_KEY: 'key',
  }

  it('is the one that the environment names', async () => {
    const status = { AUTOMATION_STATUS_BASE_URL: 'https://status.example', AUTOMATION_PROJECT: 'p' }
    await using connection = await connect(optionsOf(), { ...own, ...status })
    expect(connection.inputs).toEqual({
      'base-url': 'https://service.example',
      'api-token': 'token',
      'api-key': 'key',
      'status-base-url': 'https://status.example',
      project: 'p',
    })
  })

  it('has a run for the action wait', async () => {
    const options = optionsOf('--action', 'wait', '--automation', 'text-note')
    await using connection = await connect(options, {})
    expect(connection.inputs['execution-id']).toMatch(/^[\da-f-]{36}$/)
  })

  it('has inputs for a first try of batch and create-project', async () => {
    await using batch = await connect(optionsOf('--action', 'batch'), {})
    expect(batch.inputs['seeds']).toContain('Oslo')
    await using list = await connect(optionsOf('--action', 'batch', '--seeds', 'list.json'), {})
    expect(list.inputs).not.toHaveProperty('seeds')
    await using project = await connect(optionsOf('--action', 'create-project'), {})
    expect(project.inputs).toMatchObject({ region: 'eu-west-1', name: 'marketing' })
    await using service = await connect(optionsOf('--action', 'create-project'), own)
    expect(service.inputs).not.toHaveProperty('name')
  })

  it('says which requests a fault hits, because most runs succeed all the same', async () => {
    await using connection = await connect(optionsOf('--fault', '503'), {})
    expect(connection.name).toMatch(/^the sandbox at \S+, with the fault 503 in 3 status requests$/)
  })

  it.each([
    { words: ['--automation', 'none'], environment: {}, says: /has no none; it has\n {2}big-exp/ },
    { words: ['--fault', '429'], environment: own, says: /only the sandbox has faults/ },
    { words: ['--action', 'wait'], environment: own, says: /give --input execution-id=ID/ },
  ])('cannot be asked for $words', async ({ words, environment, says }) => {
    await expect(connect(optionsOf(...words), environment)).rejects.toThrow(says)
  })
})
