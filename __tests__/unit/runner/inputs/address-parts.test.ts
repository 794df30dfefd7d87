import { describe, expect, it } from '@jest/globals'
import { serviceAddress } from '../../../../src/runner/inputs/address.ts'
import { outcome, problemsOf } from './outcome.ts'

describe('plain http', () => {
  it.each(['http://127.10.20.30', 'http://127.0.0.255:80/api'])(
    'reaches all of the loopback network: %s',
    async (text) => {
      expect(await outcome(serviceAddress, text)).toBe(text.replace(':80', ''))
    },
  )

  it.each(['http://10.127.0.1', 'http://128.0.0.1', 'http://127.0.0.1.example'])(
    'reaches no address that only looks like it: %s',
    async (text) => {
      expect(await problemsOf(serviceAddress, text)).toEqual([
        expect.stringContaining('found plain http'),
      ])
    },
  )
})

describe('two slashes', () => {
  it('belong right behind the scheme, not anywhere', async () => {
    expect(await problemsOf(serviceAddress, 'https:example.com/a://b')).toEqual([
      expect.stringContaining('found something else'),
    ])
  })

  it('inside the path stay', async () => {
    expect(await outcome(serviceAddress, 'https://example.com/a//b/')).toBe(
      'https://example.com/a//b',
    )
  })
})
