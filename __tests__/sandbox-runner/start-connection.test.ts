import { describe, expect, it } from '@jest/globals'
import { connect } from '../../scripts/start/connection.ts'

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
